package org.ibidem.descriptors;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;

/// What the C library does with descriptors.
@SuppressWarnings("restricted") // native access is what this module is for
final class Libc {
    /// `EPERM`.
    static final int NOT_PERMITTED = 1;

    /// `EBADF`.
    static final int NOT_OPEN = 9;

    private static final Linker.Option ERROR = Linker.Option.captureCallState("errno");
    private static final VarHandle ERROR_NUMBER =
            Linker.Option.captureStateLayout().varHandle(PathElement.groupElement("errno"));

    private static final int CLOSE_ON_EXEC = 0x8_0000;
    private static final int ADD = 1;
    private static final int READABLE = 1;
    private static final int FLAGS = 3;
    private static final int ACCESS_MODE = 3;
    private static final long BYTES_WAITING = 0x541B;

    /// At least those of `struct epoll_event`, which is packed on some machines.
    private static final int EVENT_BYTES = 16;

    private static final int LONGEST_TEXT = 1024;

    private final MethodHandle dup3 = handle("dup3", 3, JAVA_INT, JAVA_INT, JAVA_INT);
    private final MethodHandle close = handle("close", 1, JAVA_INT);
    private final MethodHandle fcntl = handle("fcntl", 2, JAVA_INT, JAVA_INT);
    private final MethodHandle ioctl = handle("ioctl", 2, JAVA_INT, JAVA_LONG, ADDRESS);
    private final MethodHandle epollCreate = handle("epoll_create1", 1, JAVA_INT);
    private final MethodHandle epollControl =
            handle("epoll_ctl", 4, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS);
    private final MethodHandle strerror = strerror();

    /// A call has failed.
    static final class Failed extends IOException {
        private static final long serialVersionUID = 1;

        final int number;

        Failed(String call, int number, String why) {
            super("%s failed: %s (%d)".formatted(call, why, number));
            this.number = number;
        }
    }

    /// A call with its arguments: `state` takes the error's number.
    interface Call {
        int in(MemorySegment state, Arena arena) throws Throwable;
    }

    /// A function that returns an `int`, -1 for an error.
    ///
    /// @param named parameters that are declared; more than those are passed as to `printf`
    static MethodHandle handle(String name, int named, MemoryLayout... parameters) {
        var options = new ArrayList<Linker.Option>();
        options.add(ERROR);
        if (named < parameters.length) {
            options.add(Linker.Option.firstVariadicArg(named));
        }
        var linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow(name),
                FunctionDescriptor.of(JAVA_INT, parameters),
                options.toArray(Linker.Option[]::new));
    }

    private static MethodHandle strerror() {
        var linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow("strerror"),
                FunctionDescriptor.of(ADDRESS, JAVA_INT));
    }

    /// Makes a call.
    ///
    /// @return what it returned, or the negative number of its error
    static int call(Call call) {
        try (var arena = Arena.ofConfined()) {
            var state = arena.allocate(Linker.Option.captureStateLayout());
            int got = call.in(state, arena);
            return got < 0 ? -(int) ERROR_NUMBER.get(state, 0L) : got;
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("a call of the C library threw", e);
        }
    }

    /// Makes a call that must not fail.
    ///
    /// @param name for the message
    int require(String name, Call call) throws Failed {
        int got = call(call);
        if (got < 0) {
            throw new Failed(name, -got, text(-got));
        }
        return got;
    }

    private String text(int number) {
        try {
            var text = (MemorySegment) strerror.invokeExact(number);
            return text.reinterpret(LONGEST_TEXT).getString(0);
        } catch (Throwable _) {
            return "error";
        }
    }

    /// Has `to` stand for what `from` stands for, whatever it was before.
    void duplicate(int from, int to) throws Failed {
        require("dup3", (state, _) -> (int) dup3.invokeExact(state, from, to, CLOSE_ON_EXEC));
    }

    void close(int descriptor) throws Failed {
        require("close", (state, _) -> (int) close.invokeExact(state, descriptor));
    }

    /// Whether it is open, and for reading alone.
    boolean isReadOnly(int descriptor) {
        int flags = call((state, _) -> (int) fcntl.invokeExact(state, descriptor, FLAGS));
        return flags >= 0 && (flags & ACCESS_MODE) == 0;
    }

    /// Bytes that wait in it to be read; negative: it does not tell.
    int waiting(int descriptor) {
        return call((state, arena) -> {
            var count = arena.allocate(JAVA_INT);
            int got = (int) ioctl.invokeExact(state, descriptor, BYTES_WAITING, count);
            return got < 0 ? got : count.get(JAVA_INT, 0);
        });
    }

    /// Adds it to an epoll set, which is then closed.
    void tryToWaitFor(int descriptor) throws Failed {
        int set =
                require(
                        "epoll_create1",
                        (state, _) -> (int) epollCreate.invokeExact(state, CLOSE_ON_EXEC));
        try {
            require(
                    "epoll_ctl",
                    (state, arena) -> {
                        var event = arena.allocate(EVENT_BYTES, Long.BYTES);
                        event.set(JAVA_INT, 0, READABLE);
                        return (int) epollControl.invokeExact(state, set, ADD, descriptor, event);
                    });
        } finally {
            close(set);
        }
    }
}
