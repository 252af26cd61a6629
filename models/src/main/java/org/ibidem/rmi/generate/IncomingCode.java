package org.ibidem.rmi.generate;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import org.ibidem.rmi.frame.Incoming;
import org.ibidem.rmi.frame.RemoteMethod;

/// The class file of a call as it is carried out:
///
/// ```java
/// public final class CounterAdd extends Incoming {
///     private int a0;
///     public Incoming fresh() { return new CounterAdd(); }
///     public void read(ReadMessage from) { a0 = from.readInt(); }
///     public void run(Object target) throws Throwable { returned(((Counter) target).add(a0)); }
/// }
/// ```
final class IncomingCode {
    private static final MethodTypeDesc READS = MethodTypeDesc.of(CD_void, Shapes.READ);
    private static final MethodTypeDesc RUNS = MethodTypeDesc.of(CD_void, CD_Object);

    private final Class<?> type;
    private final RemoteMethod method;
    private final ClassDesc self;
    private final Class<?>[] parameters;

    private IncomingCode(Class<?> type, RemoteMethod method, String name) {
        this.type = type;
        this.method = method;
        this.self = ClassDesc.of(name);
        this.parameters = method.method().getParameterTypes();
    }

    static Incoming made(Class<?> type, RemoteMethod method) {
        var name = CodeLoader.PACKAGE + type.getSimpleName() + "Call";
        var code =
                ClassFile.of()
                        .build(ClassDesc.of(name), new IncomingCode(type, method, name)::build);
        var made = new CodeLoader(List.of(type)).define(name, code);
        return (Incoming) CodeLoader.made(made, new Class<?>[0]);
    }

    private void build(ClassBuilder in) {
        in.withFlags(
                ClassFile.ACC_PUBLIC
                        + ClassFile.ACC_FINAL
                        + ClassFile.ACC_SUPER
                        + ClassFile.ACC_SYNTHETIC);
        in.withSuperclass(Shapes.INCOMING);
        for (int i = 0; i < parameters.length; i++) {
            in.withField("a" + i, Shapes.of(parameters[i]), ClassFile.ACC_PRIVATE);
        }
        in.withMethodBody(
                ConstantDescs.INIT_NAME,
                Shapes.NOTHING,
                ClassFile.ACC_PUBLIC,
                code ->
                        code.aload(0)
                                .invokespecial(
                                        Shapes.INCOMING, ConstantDescs.INIT_NAME, Shapes.NOTHING)
                                .return_());
        in.withMethodBody(
                "fresh",
                MethodTypeDesc.of(Shapes.INCOMING),
                ClassFile.ACC_PUBLIC,
                code ->
                        code.new_(self)
                                .dup()
                                .invokespecial(self, ConstantDescs.INIT_NAME, Shapes.NOTHING)
                                .areturn());
        in.withMethodBody("read", READS, ClassFile.ACC_PUBLIC, this::read);
        in.withMethodBody("run", RUNS, ClassFile.ACC_PUBLIC, this::run);
    }

    private void read(CodeBuilder code) {
        for (int i = 0; i < parameters.length; i++) {
            var parameter = parameters[i];
            var name = "read" + Shapes.suffix(method.parameter(i));
            code.aload(0).aload(1);
            code.invokevirtual(Shapes.READ, name, MethodTypeDesc.of(Shapes.carrier(parameter)));
            if (!parameter.isPrimitive()) {
                code.checkcast(Shapes.of(parameter));
            }
            code.putfield(self, "a" + i, Shapes.of(parameter));
        }
        code.return_();
    }

    private void run(CodeBuilder code) {
        code.aload(0).aload(1).checkcast(Shapes.of(type));
        for (int i = 0; i < parameters.length; i++) {
            code.aload(0).getfield(self, "a" + i, Shapes.of(parameters[i]));
        }
        code.invokeinterface(
                Shapes.of(type), method.method().getName(), Shapes.of(method.method()));
        var result = method.method().getReturnType();
        if (result == void.class) {
            code.pop().return_();
            return;
        }
        code.invokevirtual(
                Shapes.INCOMING,
                result.isPrimitive() ? "returned" : "returnedObject",
                MethodTypeDesc.of(CD_void, Shapes.carrier(result)));
        code.return_();
    }
}
