package org.ibidem.serial.generate;

import static java.lang.constant.ConstantDescs.CD_Exception;
import static java.lang.constant.ConstantDescs.CD_MethodHandle;
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_Throwable;
import static org.ibidem.serial.generate.Names.DECODER;

import java.io.InvalidObjectException;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.RecordComponent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ibidem.serial.model.Layout;
import org.ibidem.serial.model.Slot;
import org.ibidem.serial.wire.Codec;

/// The method `read(Decoder, int)` of a record's codec: all components into local variables, then
/// the canonical constructor.
final class RecordMethod {
    private static final int FROM = 1;
    private static final int DEPTH = 2;
    private static final ClassDesc PLAN = Names.desc(Plan.class);
    private static final MethodTypeDesc REFUSED =
            MethodTypeDesc.of(Names.desc(InvalidObjectException.class), CD_Throwable);

    private final CodeBuilder code;
    private final Plan plan;
    private final HandleCode fields;
    private final Map<String, Integer> locals = new HashMap<>();

    private RecordMethod(CodeBuilder code, Plan plan, HandleCode fields) {
        this.code = code;
        this.plan = plan;
        this.fields = fields;
    }

    static void add(
            ClassBuilder type, Plan plan, Layout<Slot> layout, HandleCode fields, boolean swapped) {
        type.withMethodBody(
                "read",
                Names.READ,
                ClassFile.ACC_PUBLIC | ClassFile.ACC_FINAL,
                code -> new RecordMethod(code, plan, fields).read(layout, swapped));
    }

    private void read(Layout<Slot> layout, boolean swapped) {
        boolean shared = plan.mode() == Codec.SHARED;
        int handle = code.allocateLocal(TypeKind.INT);
        if (shared) {
            code.aload(FROM).aconst_null().loadConstant(layout.references().size());
            code.invokevirtual(DECODER, "register", Names.REGISTER).istore(handle);
        } else if (!layout.references().isEmpty()) {
            code.aload(FROM).loadConstant(layout.references().size());
            code.invokevirtual(DECODER, "count", Names.INT_TO_VOID);
        }
        var read = new ReadCode(code, fields, DEPTH, swapped).to(intoLocals());
        var parts = Part.of(layout);
        for (var part : parts) {
            read.block(part.primitives(), parts.size() == 1 && !part.references().isEmpty());
        }
        var cost = new CostCode(code);
        for (var slot : layout.references()) {
            cost.begin(slot);
            read.reference(slot);
            if (shared) {
                cost.add(slot);
            }
        }
        int made = code.allocateLocal(TypeKind.REFERENCE);
        code.trying(
                body -> construct(body, made),
                on -> on.catching(CD_Exception, failed -> refuse(failed)));
        if (shared) {
            code.aload(FROM).iload(handle).aload(made);
            code.invokevirtual(DECODER, "replace", Names.REPLACE);
            code.aload(FROM).iload(handle);
            cost.load();
            code.invokevirtual(DECODER, "cost", Names.INT_LONG_TO_VOID);
        }
        code.aload(made).areturn();
    }

    private ReadCode.Target intoLocals() {
        return new ReadCode.Target() {
            @Override
            public void begin(Slot slot) {
                // nothing lies below the value
            }

            @Override
            public void end(Slot slot) {
                var kind = TypeKind.from(Names.erased(slot.code()));
                int local = code.allocateLocal(kind);
                code.storeLocal(kind, local);
                locals.put(slot.name(), local);
            }
        };
    }

    private void construct(CodeBuilder body, int made) {
        var components = List.of(plan.shape().type.getRecordComponents());
        var types = components.stream().map(RecordMethod::erased).toArray(ClassDesc[]::new);
        var type = MethodTypeDesc.of(CD_Object, types);
        var constructor = plan.construct().asType(plan.construct().type().erase());
        fields.constant(body, CD_MethodHandle, plan.construct(), constructor);
        for (var component : components) {
            Integer local = locals.get(component.getName());
            if (local == null) {
                throw new IllegalStateException("no component " + component);
            }
            body.loadLocal(TypeKind.from(erased(component)), local);
        }
        body.invokevirtual(CD_MethodHandle, "invokeExact", type).astore(made);
    }

    private static ClassDesc erased(RecordComponent component) {
        var type = component.getType();
        return type.isPrimitive() ? Names.desc(type) : CD_Object;
    }

    private static void refuse(CodeBuilder failed) {
        failed.invokestatic(PLAN, "refused", REFUSED).athrow();
    }
}
