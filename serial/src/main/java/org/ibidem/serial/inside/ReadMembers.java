package org.ibidem.serial.inside;

import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.INIT_NAME;
import static org.ibidem.serial.generate.Names.DECODER;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import org.ibidem.serial.generate.CostCode;
import org.ibidem.serial.generate.LoopCode;
import org.ibidem.serial.generate.Names;
import org.ibidem.serial.generate.ReadCode;
import org.ibidem.serial.generate.Spot;
import org.ibidem.serial.model.Slot;

/// The constructors of a class that read its objects, and the method that calls them. Only a
/// constructor may assign final fields. See [Members].
final class ReadMembers {
    private static final int THIS = 0;
    private static final int FROM = 1;
    private static final int DEPTH = 2;
    private static final int GROUPS = 3;
    private static final int STATIC =
            ClassFile.ACC_PROTECTED | ClassFile.ACC_STATIC | ClassFile.ACC_SYNTHETIC;
    private static final int HIDDEN = ClassFile.ACC_PROTECTED | ClassFile.ACC_SYNTHETIC;
    private static final MethodTypeDesc NO_ARGUMENTS = MethodTypeDesc.of(CD_void);

    private final Hierarchy hierarchy;
    private final DirectCode fields;

    ReadMembers(Hierarchy hierarchy, DirectCode fields) {
        this.hierarchy = hierarchy;
        this.fields = fields;
    }

    /// Adds what reads objects of the class itself.
    void addRead(ClassBuilder type) {
        type.withMethodBody(INIT_NAME, Members.CONSTRUCTOR, HIDDEN, this::constructor);
        type.withMethodBody(Members.READ, Members.READ_TYPE, STATIC, this::read);
    }

    /// Adds what constructors of subclasses call.
    void addForSubclasses(ClassBuilder type) {
        type.withMethodBody(INIT_NAME, Members.SUPER_CONSTRUCTOR, HIDDEN, this::superConstructor);
    }

    private void read(CodeBuilder code) {
        var tail = hierarchy.tail();
        if (tail != null) {
            new LoopCode(code, fields, tail).read(new Step(code));
            return;
        }
        int handle = code.allocateLocal(TypeKind.INT);
        code.aload(FROM).invokevirtual(DECODER, "lastHandle", Names.TO_INT);
        code.iconst_1().iadd().istore(handle);
        make(code);
        code.aload(FROM);
        if (hierarchy.hashes) {
            code.iload(handle).aload(FROM).invokevirtual(DECODER, "cost", Names.TO_LONG);
            code.invokevirtual(DECODER, "cost", Names.INT_LONG_TO_VOID);
        } else {
            code.lconst_0().invokevirtual(DECODER, "cost", Names.LONG_TO_VOID);
        }
        code.areturn();
    }

    private void make(CodeBuilder code) {
        code.new_(fields.self()).dup().aload(FROM).iload(DEPTH);
        code.invokespecial(fields.self(), INIT_NAME, Members.CONSTRUCTOR);
    }

    /// One object of a list: its constructor leaves the last reference out.
    private final class Step implements LoopCode.Step {
        private final CodeBuilder code;

        Step(CodeBuilder code) {
            this.code = code;
        }

        @Override
        public void make(int object) {
            ReadMembers.this.make(code);
            code.astore(object);
        }

        @Override
        public int fill(int object) {
            return new ReadCode(code, fields, DEPTH, false).tag();
        }
    }

    private void constructor(CodeBuilder code) {
        var read = new ReadCode(code, fields, DEPTH, false);
        boolean top = hierarchy.above().isEmpty();
        int bytes = hierarchy.layout.bytes();
        int at = code.allocateLocal(TypeKind.INT);
        int inside = hierarchy.layout.references().size();
        if (top) {
            constructObject(code, inside);
        } else {
            code.aload(FROM)
                    .loadConstant(inside)
                    .invokevirtual(DECODER, "count", Names.INT_TO_VOID);
        }
        var references = references();
        boolean tagged = top && bytes > 0 && !references.isEmpty();
        var values = new Values(code, read, fields);
        if (bytes > 0) {
            block(code, tagged ? bytes + 1 : bytes, at);
            int page = read.page();
            values.load(page, hierarchy.spots(at), top);
            read.taken(page, at, bytes, tagged);
        } else {
            code.iconst_0().istore(at);
        }
        if (!top) {
            code.aload(THIS).aload(FROM).iload(DEPTH);
            for (int size = Long.BYTES; size > 0; size >>= 1) {
                code.iload(at).loadConstant(hierarchy.group(size)).iadd();
            }
            constructSuper(code);
            values.store();
        }
        references(code, read.to(THIS), references, hierarchy.hashes);
        code.return_();
    }

    /// The own ones that the constructor reads: not the one that leads to the rest of a list.
    private List<Slot> references() {
        var all = hierarchy.own().references();
        return hierarchy.tail() == null ? all : all.subList(0, all.size() - 1);
    }

    private void block(CodeBuilder code, int bytes, int at) {
        code.aload(FROM);
        for (int size = Long.BYTES; size > 1; size >>= 1) {
            code.loadConstant(hierarchy.count(size));
        }
        code.loadConstant(bytes).invokevirtual(DECODER, "block", Names.BLOCK).istore(at);
    }

    /// Calls the constructor that the JDK calls, too: that of the first superclass which is not
    /// serializable. Only then is there an object which can be given a handle.
    private void constructObject(CodeBuilder code, int inside) {
        var parent = hierarchy.type().getSuperclass();
        code.aload(THIS).invokespecial(Names.desc(parent), INIT_NAME, NO_ARGUMENTS);
        code.aload(FROM).aload(THIS).loadConstant(inside);
        code.invokevirtual(DECODER, "register", Names.REGISTER).pop();
    }

    private void constructSuper(CodeBuilder code) {
        var parent = hierarchy.above().getLast().type();
        code.invokespecial(Names.desc(parent), INIT_NAME, Members.SUPER_CONSTRUCTOR);
    }

    /// The block was found, and references counted, by the constructor of the subclass.
    private void superConstructor(CodeBuilder code) {
        var read = new ReadCode(code, fields, DEPTH, false);
        boolean top = hierarchy.above().isEmpty();
        if (top) {
            constructObject(code, 0);
        }
        var values = new Values(code, read, fields);
        if (hierarchy.own().hasPrimitives()) {
            values.load(read.page(), hierarchy.spotsByGroup(GROUPS), top);
        }
        if (!top) {
            code.aload(THIS).aload(FROM).iload(DEPTH);
            for (int i = 0; i < 4; i++) {
                code.iload(GROUPS + i);
            }
            constructSuper(code);
            values.store();
        }
        references(code, read.to(THIS), hierarchy.own().references(), true);
        code.return_();
    }

    /// @param costs whether to add up what it costs to hash them: each constructor leaves the sum
    ///   with the decoder
    private void references(CodeBuilder code, ReadCode read, List<Slot> slots, boolean costs) {
        if (!costs) {
            slots.forEach(read::reference);
            return;
        }
        var cost = new CostCode(code);
        if (!hierarchy.above().isEmpty()) {
            cost.resume();
        }
        for (var slot : slots) {
            cost.begin(slot);
            read.reference(slot);
            cost.add(slot);
        }
        code.aload(FROM);
        cost.load();
        code.invokevirtual(DECODER, "cost", Names.LONG_TO_VOID);
    }

    /// The own primitives. Below another constructor of ours they wait in local variables until
    /// that was called.
    private static final class Values {
        private final CodeBuilder code;
        private final ReadCode read;
        private final DirectCode fields;
        private final java.util.Map<Slot, Integer> locals = new java.util.LinkedHashMap<>();

        Values(CodeBuilder code, ReadCode read, DirectCode fields) {
            this.code = code;
            this.read = read;
            this.fields = fields;
        }

        void load(int page, List<Spot> spots, boolean now) {
            if (now) {
                read.to(THIS);
            } else {
                read.to(intoLocals());
            }
            read.load(page, spots);
        }

        private ReadCode.Target intoLocals() {
            return new ReadCode.Target() {
                @Override
                public void begin(Slot slot) {
                    // nothing lies below the value
                }

                @Override
                public void end(Slot slot) {
                    var kind = TypeKind.from(slot.type());
                    int local = code.allocateLocal(kind);
                    code.storeLocal(kind, local);
                    locals.put(slot, local);
                }
            };
        }

        void store() {
            locals.forEach((slot, local) -> {
                fields.beginSet(code, THIS, slot);
                code.loadLocal(TypeKind.from(slot.type()), local);
                fields.set(code, slot);
            });
        }
    }
}
