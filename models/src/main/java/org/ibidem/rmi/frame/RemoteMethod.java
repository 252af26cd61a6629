package org.ibidem.rmi.frame;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.concurrent.CompletionStage;

/// A method of a remote interface: its number on the wire, and how its values travel.
public final class RemoteMethod {
    private final Method method;
    private final Method remote;
    private final long hash;
    private final Kind[] parameters;
    private final Kind result;

    /// Asked for with each call.
    private final Kind remoteResult;

    private final boolean takesObjects;
    private final Class<?>[] exceptions;

    /// How a value travels.
    public enum Kind {
        /// Nothing.
        VOID,
        /// 1 byte.
        BOOLEAN,
        /// 1 byte.
        BYTE,
        /// 2 bytes.
        SHORT,
        /// 2 bytes.
        CHAR,
        /// 4 bytes.
        INT,
        /// 8 bytes.
        LONG,
        /// 4 bytes.
        FLOAT,
        /// 8 bytes.
        DOUBLE,
        /// An object graph.
        OBJECT,
        /// An object graph, which is awaited by a future.
        FUTURE;

        /// That of values of a type.
        public static Kind of(Class<?> type) {
            if (!type.isPrimitive()) {
                return CompletionStage.class.isAssignableFrom(type) ? FUTURE : OBJECT;
            }
            for (var kind : values()) {
                if (kind.name().toLowerCase(java.util.Locale.ROOT).equals(type.getName())) {
                    return kind;
                }
            }
            throw new IllegalArgumentException("no such kind of value: " + type);
        }
    }

    /// A method as its interface has it.
    public RemoteMethod(Method method) {
        this(method, method);
    }

    /// A method through which another is called: one that gives a future.
    ///
    /// @param method what is called here
    /// @param remote what is called there
    public RemoteMethod(Method method, Method remote) {
        this.method = method;
        this.remote = remote;
        this.hash = hash(remote);
        this.parameters =
                Arrays.stream(method.getParameterTypes())
                        .map(type -> type.isPrimitive() ? Kind.of(type) : Kind.OBJECT)
                        .toArray(Kind[]::new);
        var kind = Kind.of(method.getReturnType());
        this.result = kind == Kind.FUTURE && method.equals(remote) ? Kind.OBJECT : kind;
        var there = remote.getReturnType();
        this.remoteResult = there.isPrimitive() ? Kind.of(there) : Kind.OBJECT;
        this.takesObjects = Arrays.asList(parameters).contains(Kind.OBJECT);
        this.exceptions = remote.getExceptionTypes();
    }

    /// Its number: the first 8 bytes of the SHA-1 of name and descriptor, least significant first,
    /// as the Java Remote Method Protocol has it (Java RMI specification, 8.3).
    static long hash(Method method) {
        return hash(method.getName() + descriptor(method));
    }

    static long hash(String nameAndDescriptor) {
        try {
            var bytes = new ByteArrayOutputStream();
            new DataOutputStream(bytes).writeUTF(nameAndDescriptor);
            var digest = MessageDigest.getInstance("SHA-1").digest(bytes.toByteArray());
            return ByteBuffer.wrap(digest).order(ByteOrder.LITTLE_ENDIAN).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String descriptor(Method method) {
        return MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                .descriptorString();
    }

    /// The method.
    public Method method() {
        return method;
    }

    /// Its number on the wire.
    public long hash() {
        return hash;
    }

    /// How its arguments travel.
    public Kind parameter(int index) {
        return parameters[index];
    }

    /// How many arguments it has.
    public int parameterCount() {
        return parameters.length;
    }

    /// Whether there may be references in its arguments.
    public boolean takesObjects() {
        return takesObjects;
    }

    /// Whether there may be references in its result.
    public boolean givesObject() {
        return remoteResult == Kind.OBJECT;
    }

    /// How its result travels.
    public Kind result() {
        return result;
    }

    /// How the result travels of what is called there.
    public Kind remoteResult() {
        return remoteResult;
    }

    /// Whether nobody waits for it by its nature: it gives nothing, in the place of a method beside
    /// which it is.
    public boolean isOneWay() {
        return result == Kind.VOID && !method.equals(remote);
    }

    /// Whether it may throw this where it is called.
    public boolean declares(Throwable thrown) {
        return thrown instanceof RuntimeException
                || thrown instanceof Error
                || Arrays.stream(exceptions).anyMatch(each -> each.isInstance(thrown));
    }

    /// As people write it: `int add(int) of Counter`.
    @Override
    public String toString() {
        var text = new StringBuilder(remote.getReturnType().getTypeName());
        text.append(' ').append(remote.getName()).append('(');
        var types = remote.getParameterTypes();
        for (int i = 0; i < types.length; i++) {
            text.append(i == 0 ? "" : ", ").append(types[i].getTypeName());
        }
        return text + ") of " + remote.getDeclaringClass().getName();
    }
}
