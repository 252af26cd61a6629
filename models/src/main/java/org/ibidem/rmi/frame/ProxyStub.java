package org.ibidem.rmi.frame;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The stub behind a proxy, where code that implements the interfaces cannot be generated: they, or
/// types in their methods, are not public.
public final class ProxyStub extends Stub implements InvocationHandler {
    /// A stub for an object with these methods.
    public ProxyStub(
            Exchange exchange, Reference reference, RemoteMethod[] methods, CallSettings settings) {
        super(exchange, reference, methods, settings);
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) {
        if (method.getDeclaringClass() == Object.class) {
            return switch (method.getName()) {
                case "equals" -> arguments != null && equals(arguments[0]);
                case "hashCode" -> hashCode();
                default -> toString();
            };
        }
        var all = methods();
        for (int i = 0; i < all.length; i++) {
            if (isSame(all[i].method(), method)) {
                return call(all[i], begin(i), arguments);
            }
        }
        throw new IllegalStateException("not a remote method: " + method);
    }

    private static boolean isSame(Method one, Method other) {
        return one.getName().equals(other.getName())
                && one.getReturnType() == other.getReturnType()
                && Arrays.equals(one.getParameterTypes(), other.getParameterTypes());
    }

    private static @Nullable Object call(
            RemoteMethod method, Outgoing call, Object @Nullable [] arguments) {
        for (int i = 0; i < method.parameterCount(); i++) {
            put(call, method.parameter(i), arguments == null ? null : arguments[i]);
        }
        return switch (method.result()) {
            case VOID -> {
                call.callVoid();
                yield null;
            }
            case BOOLEAN -> call.callBoolean();
            case BYTE -> call.callByte();
            case SHORT -> call.callShort();
            case CHAR -> call.callChar();
            case INT -> call.callInt();
            case LONG -> call.callLong();
            case FLOAT -> call.callFloat();
            case DOUBLE -> call.callDouble();
            case OBJECT -> call.callObject();
            case FUTURE -> call.callFuture();
        };
    }

    private static void put(Outgoing call, RemoteMethod.Kind kind, @Nullable Object value) {
        switch (value) {
            case Boolean one when kind == RemoteMethod.Kind.BOOLEAN -> call.put(one.booleanValue());
            case Byte one when kind == RemoteMethod.Kind.BYTE -> call.put(one.byteValue());
            case Short one when kind == RemoteMethod.Kind.SHORT -> call.put(one.shortValue());
            case Character one when kind == RemoteMethod.Kind.CHAR -> call.put(one.charValue());
            case Integer one when kind == RemoteMethod.Kind.INT -> call.put(one.intValue());
            case Long one when kind == RemoteMethod.Kind.LONG -> call.put(one.longValue());
            case Float one when kind == RemoteMethod.Kind.FLOAT -> call.put(one.floatValue());
            case Double one when kind == RemoteMethod.Kind.DOUBLE -> call.put(one.doubleValue());
            case null, default -> call.putObject(value);
        }
    }
}
