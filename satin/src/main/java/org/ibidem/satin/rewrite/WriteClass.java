package org.ibidem.satin.rewrite;

import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.INIT_NAME;
import static java.lang.constant.ConstantDescs.MTD_void;

import java.lang.classfile.AccessFlags;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.ConstantValueAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;

/// Rewrites a write method of a shared object, and writes the class of its calls:
///
/// ```
/// int add(int by) { … }      int add(int by) {
///                                 Sum$$Write1 write = Sum$$Write1.of(by);
///                                 Write.perform(this, write);
///                                 return write.result;
///                             }
///                             int Sum$$Write1(int by) { … }
/// ```
final class WriteClass {
    private static final int HIDDEN = ClassFile.ACC_SYNTHETIC | ClassFile.ACC_FINAL;
    private static final int HERE = ClassFile.ACC_TRANSIENT | ClassFile.ACC_SYNTHETIC;

    private final ClassDesc owner;
    private final MethodModel method;
    private final MethodTypeDesc type;
    private final ClassDesc name;

    /// @param number of the write methods of its class, from 1
    WriteClass(ClassDesc owner, MethodModel method, int number) {
        this.owner = owner;
        this.method = method;
        this.type = method.methodTypeSymbol();
        this.name = Names.write(owner, number);
    }

    ClassDesc name() {
        return name;
    }

    /// What the method did; no class that extends its own has one of that name.
    private String body() {
        var text = name.descriptorString();
        return text.substring(1, text.length() - 1).replace('/', '$');
    }

    private boolean isVoid() {
        return TypeKind.from(type.returnType()) == TypeKind.VOID;
    }

    private static String argument(int number) {
        return "argument" + number;
    }

    private MethodTypeDesc made() {
        return type.changeReturnType(name);
    }

    /// Puts the method's two halves in its place.
    void replace(ClassBuilder in) {
        in.withMethod(
                body(),
                type,
                HIDDEN | (method.flags().flagsMask() & ClassFile.ACC_SYNCHRONIZED),
                built -> method.code().ifPresent(built::with));
        in.withMethod(
                method.methodName().stringValue(),
                type,
                method.flags().flagsMask() & ~ClassFile.ACC_SYNCHRONIZED,
                built -> {
                    for (var part : method) {
                        if (!(part instanceof CodeModel) && !(part instanceof AccessFlags)) {
                            built.with(part);
                        }
                    }
                    built.withCode(this::call);
                });
    }

    private void call(CodeBuilder code) {
        int slot = 1;
        for (var parameter : type.parameterList()) {
            var kind = TypeKind.from(parameter);
            code.loadLocal(kind, slot);
            slot += kind.slotSize();
        }
        code.invokestatic(name, "of", made())
                .astore(slot)
                .aload(0)
                .aload(slot)
                .invokestatic(Names.WRITE, "perform", Names.PERFORM);
        if (!isVoid()) {
            code.aload(slot).getfield(name, "result", type.returnType());
        }
        code.return_(TypeKind.from(type.returnType()));
    }

    byte[] bytes(ClassFile files) {
        return files.build(
                name,
                made -> {
                    made.withVersion(ClassFile.JAVA_11_VERSION, 0)
                            .withFlags(HIDDEN | ClassFile.ACC_SUPER)
                            .withSuperclass(Names.WRITE);
                    fields(made);
                    made.withMethodBody(
                            INIT_NAME, MTD_void, ClassFile.ACC_PRIVATE, WriteClass::constructor);
                    made.withMethodBody("of", made(), ClassFile.ACC_STATIC, this::of);
                    made.withMethodBody("apply", Names.APPLY, ClassFile.ACC_PROTECTED, this::apply);
                });
    }

    private void fields(ClassBuilder in) {
        in.withField(
                "serialVersionUID",
                CD_long,
                field ->
                        field.withFlags(
                                        ClassFile.ACC_PRIVATE
                                                | ClassFile.ACC_STATIC
                                                | ClassFile.ACC_FINAL)
                                .with(ConstantValueAttribute.of(1L)));
        for (int i = 0; i < type.parameterCount(); i++) {
            in.withField(argument(i), type.parameterType(i), ClassFile.ACC_SYNTHETIC);
        }
        if (!isVoid()) {
            in.withField("result", type.returnType(), HERE);
        }
    }

    private static void constructor(CodeBuilder code) {
        code.aload(0).invokespecial(Names.WRITE, INIT_NAME, MTD_void).return_();
    }

    private void of(CodeBuilder code) {
        code.new_(name).dup().invokespecial(name, INIT_NAME, MTD_void);
        int slot = 0;
        for (int i = 0; i < type.parameterCount(); i++) {
            var kind = TypeKind.from(type.parameterType(i));
            code.dup().loadLocal(kind, slot).putfield(name, argument(i), type.parameterType(i));
            slot += kind.slotSize();
        }
        code.areturn();
    }

    private void apply(CodeBuilder code) {
        code.aload(0).aload(1).checkcast(owner);
        for (int i = 0; i < type.parameterCount(); i++) {
            code.aload(0).getfield(name, argument(i), type.parameterType(i));
        }
        code.invokevirtual(owner, body(), type);
        if (isVoid()) {
            code.pop();
        } else {
            code.putfield(name, "result", type.returnType());
        }
        code.return_();
    }
}
