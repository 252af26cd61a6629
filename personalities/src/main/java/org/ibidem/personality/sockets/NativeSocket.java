package org.ibidem.personality.sockets;

import java.io.FileDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOption;
import java.util.Set;

/// The JDK's own implementation of a socket. Its methods are protected, so they are reached by
/// handles, for which `java.net` must be open to this module.
final class NativeSocket {
    private final SocketImpl impl;

    private NativeSocket(SocketImpl impl) {
        this.impl = impl;
    }

    /// A new one, without a socket of the system yet.
    static NativeSocket of(boolean server) throws IOException {
        try {
            return new NativeSocket((SocketImpl) Handles.MAKE.invoke(server));
        } catch (Throwable e) {
            throw thrown(e);
        }
    }

    /// Whether `java.net` is open to this module.
    ///
    /// @throws IllegalStateException when not, with what to do
    static void check() {
        var module = NativeSocket.class.getModule();
        if (!SocketImpl.class.getModule().isOpen("java.net", module)) {
            throw new IllegalStateException(
                    "the JDK's own sockets cannot be reached: start java with --add-opens=java.base/java.net="
                            + (module.isNamed() ? module.getName() : "ALL-UNNAMED")
                            + ", or with -javaagent:ibidem-personalities.jar, which opens them itself");
        }
    }

    /// The handles, looked up when the first one is needed.
    private static final class Handles {
        static final MethodHandle MAKE;
        static final MethodHandle CREATE = find("create", void.class, boolean.class);
        static final MethodHandle CONNECT =
                find("connect", void.class, SocketAddress.class, int.class);
        static final MethodHandle BIND = find("bind", void.class, InetAddress.class, int.class);
        static final MethodHandle LISTEN = find("listen", void.class, int.class);
        static final MethodHandle ACCEPT = find("accept", void.class, SocketImpl.class);
        static final MethodHandle INPUT = find("getInputStream", InputStream.class);
        static final MethodHandle OUTPUT = find("getOutputStream", OutputStream.class);
        static final MethodHandle AVAILABLE = find("available", int.class);
        static final MethodHandle CLOSE = find("close", void.class);
        static final MethodHandle SHUT_INPUT = find("shutdownInput", void.class);
        static final MethodHandle SHUT_OUTPUT = find("shutdownOutput", void.class);
        static final MethodHandle URGENT = find("sendUrgentData", void.class, int.class);
        static final MethodHandle ADDRESS = find("getInetAddress", InetAddress.class);
        static final MethodHandle PORT = find("getPort", int.class);
        static final MethodHandle LOCAL_PORT = find("getLocalPort", int.class);
        static final MethodHandle DESCRIPTOR = find("getFileDescriptor", FileDescriptor.class);
        static final MethodHandle SET =
                find("setOption", void.class, SocketOption.class, Object.class);
        static final MethodHandle GET = find("getOption", Object.class, SocketOption.class);
        static final MethodHandle OPTIONS = find("supportedOptions", Set.class);

        static {
            try {
                MAKE =
                        all().findStatic(
                                        SocketImpl.class,
                                        "createPlatformSocketImpl",
                                        sameType(boolean.class));
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("this JDK's sockets are others: " + e, e);
            }
        }

        private Handles() {}

        private static MethodType sameType(Class<?> argument) throws ReflectiveOperationException {
            var method = SocketImpl.class.getDeclaredMethod("createPlatformSocketImpl", argument);
            return MethodType.methodType(method.getReturnType(), argument);
        }

        private static MethodHandles.Lookup all() throws IllegalAccessException {
            return MethodHandles.privateLookupIn(SocketImpl.class, MethodHandles.lookup());
        }

        private static MethodHandle find(String name, Class<?> result, Class<?>... arguments) {
            try {
                return all().findVirtual(
                                SocketImpl.class, name, MethodType.methodType(result, arguments));
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("this JDK's sockets are others: " + e, e);
            }
        }
    }

    /// One call of a method of the JDK's.
    @FunctionalInterface
    private interface Call<T> {
        T of() throws Throwable;
    }

    private static <T> T call(Call<T> call) throws IOException {
        try {
            return call.of();
        } catch (Throwable e) {
            throw thrown(e);
        }
    }

    private static IOException thrown(Throwable e) {
        return switch (e) {
            case IOException known -> known;
            case RuntimeException unchecked -> throw unchecked;
            case Error error -> throw error;
            default -> new SocketException(e.toString(), e);
        };
    }

    private static void run(Call<?> call) throws IOException {
        Object _ = call(call);
    }

    void create() throws IOException {
        run(() -> Handles.CREATE.invoke(impl, true));
    }

    void connect(SocketAddress to, int millis) throws IOException {
        run(() -> Handles.CONNECT.invoke(impl, to, millis));
    }

    void bind(InetAddress to, int port) throws IOException {
        run(() -> Handles.BIND.invoke(impl, to, port));
    }

    void listen(int backlog) throws IOException {
        run(() -> Handles.LISTEN.invoke(impl, backlog));
    }

    /// The next connection that comes.
    NativeSocket accept() throws IOException {
        var next = of(false);
        run(() -> Handles.ACCEPT.invoke(impl, next.impl));
        return next;
    }

    InputStream input() throws IOException {
        return call(() -> (InputStream) Handles.INPUT.invoke(impl));
    }

    OutputStream output() throws IOException {
        return call(() -> (OutputStream) Handles.OUTPUT.invoke(impl));
    }

    int available() throws IOException {
        return call(() -> (int) Handles.AVAILABLE.invoke(impl));
    }

    void close() throws IOException {
        run(() -> Handles.CLOSE.invoke(impl));
    }

    void shutdownInput() throws IOException {
        run(() -> Handles.SHUT_INPUT.invoke(impl));
    }

    void shutdownOutput() throws IOException {
        run(() -> Handles.SHUT_OUTPUT.invoke(impl));
    }

    void sendUrgentData(int data) throws IOException {
        run(() -> Handles.URGENT.invoke(impl, data));
    }

    <T> void option(SocketOption<T> name, T value) throws IOException {
        run(() -> Handles.SET.invoke(impl, (SocketOption<?>) name, (Object) value));
    }

    @SuppressWarnings("unchecked")
    <T> T option(SocketOption<T> name) throws IOException {
        return (T) call(() -> (Object) Handles.GET.invoke(impl, (SocketOption<?>) name));
    }

    void option(int name, Object value) throws SocketException {
        impl.setOption(name, value);
    }

    Object option(int name) throws SocketException {
        return impl.getOption(name);
    }

    @SuppressWarnings("unchecked")
    Set<SocketOption<?>> options() {
        return known(() -> (Set<SocketOption<?>>) (Set<?>) Handles.OPTIONS.invoke(impl));
    }

    InetAddress address() {
        return known(() -> (InetAddress) Handles.ADDRESS.invoke(impl));
    }

    int port() {
        return known(() -> (int) Handles.PORT.invoke(impl));
    }

    int localPort() {
        return known(() -> (int) Handles.LOCAL_PORT.invoke(impl));
    }

    FileDescriptor descriptor() {
        return known(() -> (FileDescriptor) Handles.DESCRIPTOR.invoke(impl));
    }

    private static <T> T known(Call<T> call) {
        try {
            return call(call);
        } catch (IOException e) {
            throw new IllegalStateException("a socket of the JDK did not say what it knows", e);
        }
    }
}
