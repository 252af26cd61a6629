package org.ibidem.descriptors;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.invoke.MethodHandle;

/// What tests ask of the system.
final class Kernel {
    static final Libc LIBC = new Libc();

    private static final int CLOSE_ON_EXEC = 0x8_0000;
    private static final int PIDFD_OPEN = 434;
    private static final int PIDFD_GETFD = 438;
    private static final MethodHandle EVENTFD = Libc.handle("eventfd", 2, JAVA_INT, JAVA_INT);
    private static final MethodHandle WRITE = Libc.handle("write", 3, JAVA_INT, ADDRESS, JAVA_LONG);
    private static final MethodHandle SYSCALL =
            Libc.handle("syscall", 1, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT);

    private Kernel() {}

    /// Makes one.
    static int eventfd() throws IOException {
        return LIBC.require(
                "eventfd", (state, _) -> (int) EVENTFD.invokeExact(state, 0, CLOSE_ON_EXEC));
    }

    static void ring(int eventfd) throws IOException {
        LIBC.require(
                "write",
                (state, arena) -> {
                    var one = arena.allocateFrom(JAVA_LONG, 1);
                    return (int) WRITE.invokeExact(state, eventfd, one, one.byteSize());
                });
    }

    /// A descriptor of this process.
    static int pidfd(long process) throws IOException {
        return LIBC.require(
                "pidfd_open",
                (state, _) ->
                        (int) SYSCALL.invokeExact(state, (long) PIDFD_OPEN, (int) process, 0, 0));
    }

    /// A descriptor of ours for one of another process.
    static int taken(int pidfd, int descriptor) throws IOException {
        return LIBC.require(
                "pidfd_getfd",
                (state, _) ->
                        (int) SYSCALL.invokeExact(state, (long) PIDFD_GETFD, pidfd, descriptor, 0));
    }
}
