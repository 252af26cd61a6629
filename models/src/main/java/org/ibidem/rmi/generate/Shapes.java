package org.ibidem.rmi.generate;

import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Locale;
import org.ibidem.port.ReadMessage;
import org.ibidem.rmi.frame.Incoming;
import org.ibidem.rmi.frame.Outgoing;
import org.ibidem.rmi.frame.RemoteMethod;

/// Names and types in generated code.
final class Shapes {
    static final ClassDesc OUTGOING = of(Outgoing.class);
    static final ClassDesc INCOMING = of(Incoming.class);
    static final ClassDesc READ = of(ReadMessage.class);
    static final MethodTypeDesc NOTHING = MethodTypeDesc.of(ConstantDescs.CD_void);

    private Shapes() {}

    static ClassDesc of(Class<?> type) {
        return ClassDesc.ofDescriptor(type.descriptorString());
    }

    static MethodTypeDesc of(Method method) {
        return MethodTypeDesc.of(
                of(method.getReturnType()),
                Arrays.stream(method.getParameterTypes())
                        .map(Shapes::of)
                        .toArray(ClassDesc[]::new));
    }

    static TypeKind kind(Class<?> type) {
        return TypeKind.from(type);
    }

    /// `Int` for `INT`, as in the names of methods.
    static String suffix(RemoteMethod.Kind kind) {
        var name = kind.name();
        return name.charAt(0) + name.substring(1).toLowerCase(Locale.ROOT);
    }

    /// The type by which a value of a kind is handed over.
    static ClassDesc carrier(Class<?> type) {
        return type.isPrimitive() ? of(type) : ConstantDescs.CD_Object;
    }
}
