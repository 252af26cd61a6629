package org.ibidem.rmi.generate;

import java.lang.reflect.InvocationTargetException;
import org.ibidem.port.ReadMessage;
import org.ibidem.rmi.frame.Incoming;
import org.ibidem.rmi.frame.RemoteMethod;
import org.jspecify.annotations.Nullable;

/// A call of a method that is not public, by reflection.
final class ReflectedIncoming extends Incoming {
    private final RemoteMethod method;
    private final @Nullable Object[] arguments;

    /// @param before another one, which is called with the same rights
    ReflectedIncoming(RemoteMethod method, @Nullable ReflectedIncoming before) {
        this.method = method;
        this.arguments = new Object[method.parameterCount()];
        if (before == null) {
            method.method().setAccessible(true);
        }
    }

    @Override
    public Incoming fresh() {
        return new ReflectedIncoming(method, this);
    }

    @Override
    public void read(ReadMessage from) {
        var types = method.method().getParameterTypes();
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] =
                    switch (method.parameter(i)) {
                        case BOOLEAN -> from.readBoolean();
                        case BYTE -> from.readByte();
                        case SHORT -> from.readShort();
                        case CHAR -> from.readChar();
                        case INT -> from.readInt();
                        case LONG -> from.readLong();
                        case FLOAT -> from.readFloat();
                        case DOUBLE -> from.readDouble();
                        case VOID, OBJECT, FUTURE -> types[i].cast(from.readObject());
                    };
        }
    }

    @Override
    public void run(Object target) throws Throwable {
        Object result;
        try {
            result = method.method().invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
        switch (result) {
            case Boolean one when isPrimitive() -> returned(one.booleanValue());
            case Byte one when isPrimitive() -> returned(one.byteValue());
            case Short one when isPrimitive() -> returned(one.shortValue());
            case Character one when isPrimitive() -> returned(one.charValue());
            case Integer one when isPrimitive() -> returned(one.intValue());
            case Long one when isPrimitive() -> returned(one.longValue());
            case Float one when isPrimitive() -> returned(one.floatValue());
            case Double one when isPrimitive() -> returned(one.doubleValue());
            case null, default -> returnedObject(result);
        }
    }

    private boolean isPrimitive() {
        return method.result() != RemoteMethod.Kind.OBJECT;
    }
}
