package org.ibidem.rmi.generate;

import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.ibidem.rmi.frame.CallSettings;
import org.ibidem.rmi.frame.Exchange;
import org.ibidem.rmi.frame.Reference;
import org.ibidem.rmi.frame.RemoteMethod;
import org.ibidem.rmi.frame.Stub;

/// The class file of a stub: see [Stub].
final class StubCode {
    static final Class<?>[] PARAMETERS = {
        Exchange.class, Reference.class, RemoteMethod[].class, CallSettings.class
    };

    private static final ClassDesc STUB = Shapes.of(Stub.class);
    private static final MethodTypeDesc MAKE =
            MethodTypeDesc.of(
                    CD_void,
                    Shapes.of(Exchange.class),
                    Shapes.of(Reference.class),
                    Shapes.of(RemoteMethod[].class),
                    Shapes.of(CallSettings.class));
    private static final MethodTypeDesc BEGIN = MethodTypeDesc.of(Shapes.OUTGOING, CD_int);

    private StubCode() {}

    static Class<?> made(List<Class<?>> interfaces, List<RemoteMethod> methods) {
        var name = CodeLoader.PACKAGE + interfaces.getFirst().getSimpleName() + "Stub";
        var code =
                ClassFile.of()
                        .build(
                                ClassDesc.of(name),
                                type -> {
                                    type.withFlags(
                                            ClassFile.ACC_PUBLIC
                                                    + ClassFile.ACC_FINAL
                                                    + ClassFile.ACC_SUPER
                                                    + ClassFile.ACC_SYNTHETIC);
                                    type.withSuperclass(STUB);
                                    type.withInterfaceSymbols(
                                            interfaces.stream().map(Shapes::of).toList());
                                    type.withMethodBody(
                                            ConstantDescs.INIT_NAME,
                                            MAKE,
                                            ClassFile.ACC_PUBLIC,
                                            StubCode::make);
                                    for (int i = 0; i < methods.size(); i++) {
                                        int number = i;
                                        var method = methods.get(i);
                                        type.withMethodBody(
                                                method.method().getName(),
                                                Shapes.of(method.method()),
                                                ClassFile.ACC_PUBLIC,
                                                body -> call(body, number, method));
                                    }
                                });
        return new CodeLoader(interfaces).define(name, code);
    }

    private static void make(CodeBuilder code) {
        code.aload(0).aload(1).aload(2).aload(3).aload(4);
        code.invokespecial(STUB, ConstantDescs.INIT_NAME, MAKE).return_();
    }

    private static void call(CodeBuilder code, int number, RemoteMethod method) {
        code.aload(0).loadConstant(number).invokevirtual(STUB, "begin", BEGIN);
        int slot = 1;
        for (var type : method.method().getParameterTypes()) {
            var kind = Shapes.kind(type);
            var name = type.isPrimitive() ? "put" : "putObject";
            code.dup().loadLocal(kind, slot);
            code.invokevirtual(
                    Shapes.OUTGOING, name, MethodTypeDesc.of(CD_void, Shapes.carrier(type)));
            slot += kind.slotSize();
        }
        var result = method.method().getReturnType();
        boolean future = method.result() == RemoteMethod.Kind.FUTURE;
        var carrier = future ? Shapes.of(CompletableFuture.class) : Shapes.carrier(result);
        code.invokevirtual(
                Shapes.OUTGOING,
                "call" + Shapes.suffix(method.result()),
                MethodTypeDesc.of(carrier));
        if (!result.isPrimitive() && !future) {
            code.checkcast(Shapes.of(result));
        }
        code.return_(Shapes.kind(result));
    }
}
