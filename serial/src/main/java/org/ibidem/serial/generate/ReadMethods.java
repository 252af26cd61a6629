package org.ibidem.serial.generate;

import static java.lang.constant.ConstantDescs.CD_Object;
import static org.ibidem.serial.generate.Names.DECODER;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.Constructor;
import java.util.List;
import org.ibidem.serial.model.Layout;
import org.ibidem.serial.model.Slot;

/// The methods of a generated class that read objects with fields.
///
/// `fill(Decoder, Object, int)` reads fields into an object and returns what hashing them costs.
/// `read(Decoder, int)` makes the object, too; where the last reference is of the class itself it
/// is a loop ([LoopCode]).
final class ReadMethods {
    private static final int FROM = 1;
    private static final int FILLED = 2;
    private static final int FILL_DEPTH = 3;
    private static final int DEPTH = 2;
    private static final ClassDesc CONSTRUCTOR = Names.desc(Constructor.class);
    private static final MethodTypeDesc NEW_INSTANCE =
            MethodTypeDesc.of(CD_Object, CD_Object.arrayType());

    private final ClassBuilder type;
    private final ClassDesc self;
    private final HandleCode fields;
    private final boolean swapped;

    ReadMethods(ClassBuilder type, ClassDesc self, HandleCode fields, boolean swapped) {
        this.type = type;
        this.self = self;
        this.fields = fields;
        this.swapped = swapped;
    }

    /// Adds `fill`.
    void addFill(Layout<Slot> layout) {
        var parts = Part.of(layout);
        if (parts.size() == 1) {
            fill("fill", ClassFile.ACC_PUBLIC, c -> part(c, parts.getFirst()));
            return;
        }
        addParts(parts);
        fill(
                "fill",
                ClassFile.ACC_PUBLIC,
                c -> {
                    callAll(c, parts.size(), FILLED, FILL_DEPTH);
                    c.lreturn();
                });
    }

    private void fill(String name, int access, java.util.function.Consumer<CodeBuilder> code) {
        type.withMethodBody(name, Names.FILL, access | ClassFile.ACC_FINAL, code);
    }

    private void addParts(List<Part> parts) {
        for (int i = 0; i < parts.size(); i++) {
            var part = parts.get(i);
            fill("fill" + i, ClassFile.ACC_PRIVATE, c -> part(c, part));
        }
    }

    private void part(CodeBuilder code, Part part) {
        var read = new ReadCode(code, fields, FILL_DEPTH, swapped).to(FILLED);
        var cost = new CostCode(code);
        read.block(part.primitives(), !part.references().isEmpty());
        for (var slot : part.references()) {
            cost.begin(slot);
            read.reference(slot);
            cost.add(slot);
        }
        cost.load();
        code.lreturn();
    }

    /// Pushes the sum of what they return.
    private void callAll(CodeBuilder code, int parts, int object, int depth) {
        code.lconst_0();
        for (int i = 0; i < parts; i++) {
            code.aload(0).aload(FROM).aload(object).iload(depth);
            code.invokevirtual(self, "fill" + i, Names.FILL);
            code.invokestatic(DECODER, "sum", Names.SUM);
        }
    }

    /// Adds `read`.
    void addRead(Plan plan, Layout<Slot> layout) {
        var parts = Part.of(layout);
        if (parts.size() > 1) {
            addParts(parts);
        }
        type.withMethodBody(
                "read",
                Names.READ,
                ClassFile.ACC_PUBLIC | ClassFile.ACC_FINAL,
                code -> {
                    if (parts.size() > 1) {
                        readLarge(code, plan, parts.size());
                    } else {
                        var tail = plan.tail();
                        if (tail == null) {
                            readSmall(code, plan, parts.getFirst());
                        } else {
                            var step = new Step(code, plan, parts.getFirst());
                            new LoopCode(code, fields, tail).read(step);
                        }
                    }
                });
    }

    private void readLarge(CodeBuilder code, Plan plan, int parts) {
        int object = code.allocateLocal(TypeKind.REFERENCE);
        int handle = make(code, plan, fields, object);
        code.aload(FROM).iload(handle);
        callAll(code, parts, object, DEPTH);
        if (!plan.hashes()) {
            code.pop2().lconst_0();
        }
        code.invokevirtual(DECODER, "cost", Names.INT_LONG_TO_VOID);
        code.aload(object).areturn();
    }

    private void readSmall(CodeBuilder code, Plan plan, Part part) {
        int object = code.allocateLocal(TypeKind.REFERENCE);
        int handle = make(code, plan, fields, object);
        var read = new ReadCode(code, fields, DEPTH, swapped).to(object);
        read.block(part.primitives(), !part.references().isEmpty());
        if (plan.hashes()) {
            var cost = new CostCode(code);
            for (var slot : part.references()) {
                cost.begin(slot);
                read.reference(slot);
                cost.add(slot);
            }
            code.aload(FROM).iload(handle);
            cost.load();
            code.invokevirtual(DECODER, "cost", Names.INT_LONG_TO_VOID);
        } else {
            part.references().forEach(read::reference);
            if (!plan.leaf()) {
                code.aload(FROM).lconst_0().invokevirtual(DECODER, "cost", Names.LONG_TO_VOID);
            }
        }
        code.aload(object).areturn();
    }

    /// One object of a list.
    private final class Step implements LoopCode.Step {
        private final CodeBuilder code;
        private final Plan plan;
        private final Part part;

        Step(CodeBuilder code, Plan plan, Part part) {
            this.code = code;
            this.plan = plan;
            this.part = part;
        }

        @Override
        public void make(int object) {
            ReadMethods.make(code, plan, fields, object);
        }

        @Override
        public int fill(int object) {
            var read = new ReadCode(code, fields, DEPTH, swapped).to(object);
            read.block(part.primitives(), true);
            var references = part.references();
            references.subList(0, references.size() - 1).forEach(read::reference);
            return read.tag();
        }
    }

    /// Makes an object and gives it a handle.
    ///
    /// @return the local variable with the handle
    static int make(CodeBuilder code, Plan plan, HandleCode fields, int object) {
        int handle = code.allocateLocal(TypeKind.INT);
        fields.constant(code, CONSTRUCTOR, fields.maker(), fields.maker());
        code.iconst_0().anewarray(CD_Object);
        code.invokevirtual(CONSTRUCTOR, "newInstance", NEW_INSTANCE).astore(object);
        code.aload(FROM).aload(object).loadConstant(plan.slots().references().size());
        code.invokevirtual(DECODER, "register", Names.REGISTER).istore(handle);
        return handle;
    }
}
