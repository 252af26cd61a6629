package org.ibidem.satin.rewrite;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.INIT_NAME;
import static java.lang.constant.ConstantDescs.MTD_void;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.ConstantValueAttribute;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Writes the class of the jobs of one site: the object that is called and the arguments are its
/// fields, and beside them, where they stay at home, the result and where it is to go.
///
/// It has a static method `of` that takes from the stack what the call would have taken, and below
/// that what the instruction would have taken that stores the result.
final class JobClass {
    private static final int HIDDEN = ClassFile.ACC_SYNTHETIC | ClassFile.ACC_FINAL;
    private static final int AT_HOME = ClassFile.ACC_TRANSIENT | ClassFile.ACC_SYNTHETIC;
    private static final MethodTypeDesc YES_OR_NO = MethodTypeDesc.of(ConstantDescs.CD_boolean);
    private static final MethodTypeDesc GIVES = MethodTypeDesc.of(CD_Object);
    private static final MethodTypeDesc TAKES = MethodTypeDesc.of(CD_void, CD_Object);

    private final ClassDesc owner;
    private final boolean ownerIsInterface;
    private final Site site;
    private final boolean guarded;
    private final ClassDesc name;
    private final List<Part> parts = new ArrayList<>();

    /// A field, filled from the stack.
    private record Part(String name, ClassDesc type, int flags) {}

    /// @param guarded whether the object that is called has a guard for the method
    JobClass(ClassDesc owner, boolean ownerIsInterface, Site site, boolean guarded) {
        this.guarded = guarded;
        this.owner = owner;
        this.ownerIsInterface = ownerIsInterface;
        this.site = site;
        this.name = Names.job(owner, site);
        if (site.store() instanceof ArrayStoreInstruction store) {
            parts.add(new Part("array", array(store), AT_HOME));
            parts.add(new Part("index", CD_int, AT_HOME));
        } else if (site.store() instanceof FieldInstruction field
                && field.opcode() == Opcode.PUTFIELD) {
            parts.add(new Part("holder", field.owner().asSymbol(), AT_HOME));
        }
        parts.add(new Part("on", site.call().owner().asSymbol(), ClassFile.ACC_SYNTHETIC));
        int number = 0;
        for (var type : site.call().typeSymbol().parameterList()) {
            parts.add(new Part("argument" + number, type, ClassFile.ACC_SYNTHETIC));
            number++;
        }
    }

    /// Bytes and booleans are stored alike; which of them, the method says.
    private ClassDesc array(ArrayStoreInstruction store) {
        if (store.opcode() == Opcode.BASTORE) {
            boolean truth = site.returned().equals(ConstantDescs.CD_boolean);
            return (truth ? ConstantDescs.CD_boolean : ConstantDescs.CD_byte).arrayType();
        }
        return switch (store.typeKind()) {
            case REFERENCE -> CD_Object.arrayType();
            case CHAR -> ConstantDescs.CD_char.arrayType();
            case SHORT -> ConstantDescs.CD_short.arrayType();
            case LONG -> CD_long.arrayType();
            case FLOAT -> ConstantDescs.CD_float.arrayType();
            case DOUBLE -> ConstantDescs.CD_double.arrayType();
            default -> CD_int.arrayType();
        };
    }

    /// What `of` takes and gives.
    MethodTypeDesc made() {
        return MethodTypeDesc.of(Names.JOB, parts.stream().map(Part::type).toList());
    }

    ClassDesc name() {
        return name;
    }

    byte[] bytes(ClassFile files) {
        return files.build(
                name,
                type -> {
                    type.withVersion(ClassFile.JAVA_11_VERSION, 0)
                            .withFlags(HIDDEN | ClassFile.ACC_SUPER)
                            .withSuperclass(Names.JOB);
                    fields(type);
                    type.withMethodBody(
                            INIT_NAME, MTD_void, ClassFile.ACC_PRIVATE, JobClass::constructor);
                    type.withMethodBody("of", made(), ClassFile.ACC_STATIC, this::of);
                    type.withMethodBody("run", MTD_void, ClassFile.ACC_PROTECTED, this::run);
                    if (!site.isVoid()) {
                        type.withMethodBody("result", GIVES, ClassFile.ACC_PROTECTED, this::result);
                        type.withMethodBody("result", TAKES, ClassFile.ACC_PROTECTED, this::take);
                    }
                    if (site.isLocal() || site.isInTry()) {
                        type.withMethodBody(
                                "site",
                                Names.NUMBER,
                                ClassFile.ACC_PUBLIC,
                                code -> code.loadConstant(site.number()).ireturn());
                    }
                    if (site.isInTry()) {
                        type.withMethodBody(
                                "hasInlet",
                                YES_OR_NO,
                                ClassFile.ACC_PROTECTED,
                                code -> code.iconst_1().ireturn());
                    }
                    if (guarded) {
                        type.withMethodBody(
                                "guard", YES_OR_NO, ClassFile.ACC_PROTECTED, this::guard);
                    }
                    if (site.isArrayElement() || site.isField()) {
                        type.withMethodBody(
                                "deliver", MTD_void, ClassFile.ACC_PROTECTED, this::deliver);
                    }
                });
    }

    private void fields(ClassBuilder type) {
        type.withField(
                "serialVersionUID",
                CD_long,
                field ->
                        field.withFlags(
                                        ClassFile.ACC_PRIVATE
                                                | ClassFile.ACC_STATIC
                                                | ClassFile.ACC_FINAL)
                                .with(ConstantValueAttribute.of(1L)));
        for (var part : parts) {
            type.withField(part.name(), part.type(), part.flags());
        }
        if (!site.isVoid()) {
            type.withField("result", site.returned(), AT_HOME);
        }
    }

    private static void constructor(CodeBuilder code) {
        code.aload(0).invokespecial(Names.JOB, INIT_NAME, MTD_void).return_();
    }

    private void of(CodeBuilder code) {
        int slot = 0;
        code.new_(name).dup().invokespecial(name, INIT_NAME, MTD_void);
        for (var part : parts) {
            var kind = TypeKind.from(part.type());
            code.dup().loadLocal(kind, slot).putfield(name, part.name(), part.type());
            slot += kind.slotSize();
        }
        code.areturn();
    }

    /// The object that is called, and the arguments.
    private CodeBuilder arguments(CodeBuilder code) {
        for (var part : parts) {
            if ((part.flags() & ClassFile.ACC_TRANSIENT) == 0) {
                code.aload(0).getfield(name, part.name(), part.type());
            }
        }
        return code;
    }

    private void guard(CodeBuilder code) {
        var call = site.call();
        var type = call.typeSymbol().changeReturnType(ConstantDescs.CD_boolean);
        arguments(code)
                .invoke(
                        call.isInterface() ? Opcode.INVOKEINTERFACE : Opcode.INVOKEVIRTUAL,
                        call.owner().asSymbol(),
                        "guard_" + call.name().stringValue(),
                        type,
                        call.isInterface())
                .ireturn();
    }

    private void run(CodeBuilder code) {
        var call = site.call();
        arguments(code.aload(0))
                .invoke(
                        call.opcode(),
                        call.owner().asSymbol(),
                        call.name().stringValue(),
                        call.typeSymbol(),
                        call.isInterface());
        if (site.isVoid()) {
            code.pop();
        } else {
            code.putfield(name, "result", site.returned());
        }
        code.return_();
    }

    private void result(CodeBuilder code) {
        code.aload(0).getfield(name, "result", site.returned());
        var box = box(site.returned());
        if (box != null) {
            code.invokestatic(box, "valueOf", MethodTypeDesc.of(box, site.returned()));
        }
        code.areturn();
    }

    private void take(CodeBuilder code) {
        var box = box(site.returned());
        code.aload(0).aload(1).checkcast(box == null ? site.returned() : box);
        if (box != null) {
            code.invokevirtual(
                    box,
                    site.returned().displayName() + "Value",
                    MethodTypeDesc.of(site.returned()));
        }
        code.putfield(name, "result", site.returned()).return_();
    }

    private static @Nullable ClassDesc box(ClassDesc type) {
        return switch (TypeKind.from(type)) {
            case BOOLEAN -> ConstantDescs.CD_Boolean;
            case BYTE -> ConstantDescs.CD_Byte;
            case SHORT -> ConstantDescs.CD_Short;
            case CHAR -> ConstantDescs.CD_Character;
            case INT -> ConstantDescs.CD_Integer;
            case LONG -> ConstantDescs.CD_Long;
            case FLOAT -> ConstantDescs.CD_Float;
            case DOUBLE -> ConstantDescs.CD_Double;
            case REFERENCE, VOID -> null;
        };
    }

    private void deliver(CodeBuilder code) {
        for (var part : parts) {
            if ((part.flags() & ClassFile.ACC_TRANSIENT) != 0) {
                code.aload(0).getfield(name, part.name(), part.type());
            }
        }
        converted(code.aload(0));
        switch (site.store()) {
            case ArrayStoreInstruction store -> code.with(store);
            case FieldInstruction field ->
                    code.invokestatic(owner, Names.store(site), stores(field), ownerIsInterface);
            case null, default -> throw new IllegalStateException("nothing to deliver to");
        }
        code.return_();
    }

    /// With the job on the stack: its result as it is stored.
    void converted(CodeBuilder code) {
        code.getfield(name, "result", site.returned());
        site.conversions().forEach(code::with);
    }

    /// A job may not reach a private field: the class whose method spawns has a method for it.
    void store(ClassBuilder type, FieldInstruction field) {
        int access = ownerIsInterface ? ClassFile.ACC_PUBLIC : 0;
        type.withMethodBody(
                Names.store(site),
                stores(field),
                ClassFile.ACC_STATIC | ClassFile.ACC_SYNTHETIC | access,
                code -> {
                    int slot = 0;
                    for (var parameter : stores(field).parameterList()) {
                        var kind = TypeKind.from(parameter);
                        code.loadLocal(kind, slot);
                        slot += kind.slotSize();
                    }
                    code.with(field).return_();
                });
    }

    private static MethodTypeDesc stores(FieldInstruction field) {
        return field.opcode() == Opcode.PUTFIELD
                ? MethodTypeDesc.of(CD_void, field.owner().asSymbol(), field.typeSymbol())
                : MethodTypeDesc.of(CD_void, field.typeSymbol());
    }
}
