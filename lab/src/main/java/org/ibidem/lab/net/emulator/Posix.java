package org.ibidem.lab.net.emulator;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// The few system calls the emulator needs that Java does not offer.
@SuppressWarnings("restricted") // this is the class that needs native access
final class Posix {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");
    private static final MemoryLayout CAPTURED = Linker.Option.captureStateLayout();

    private static final MethodHandle OPEN =
            handle(
                    "open",
                    FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
                    ERRNO,
                    Linker.Option.firstVariadicArg(2));
    private static final MethodHandle IOCTL =
            handle(
                    "ioctl",
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS),
                    ERRNO,
                    Linker.Option.firstVariadicArg(2));
    // Short and never blocking: they need not tell the JVM that they are away.
    private static final MethodHandle READ =
            handle(
                    "read",
                    FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG),
                    Linker.Option.critical(false));
    private static final MethodHandle WRITE =
            handle(
                    "write",
                    FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG),
                    Linker.Option.critical(false));
    private static final MethodHandle PPOLL =
            handle("ppoll", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS));
    private static final MethodHandle PRCTL =
            handle(
                    "prctl",
                    FunctionDescriptor.of(
                            JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
                    Linker.Option.firstVariadicArg(1));
    private static final MethodHandle SCHEDULE =
            handle(
                    "sched_setscheduler",
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS));
    private static final MethodHandle MMAP =
            handle(
                    "mmap",
                    FunctionDescriptor.of(
                            ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));

    private static final int READ_WRITE = 0x2;
    private static final int NON_BLOCKING = 0x800;
    private static final int CLOSE_ON_EXEC = 0x80000;
    private static final long TUNSETIFF = 0x400454caL;
    private static final short TUN_WITHOUT_INFORMATION = 0x1001;
    private static final int IFREQ = 40;
    private static final int IFREQ_FLAGS = 16;
    private static final int TIMER_SLACK = 29;
    private static final int FIFO = 1;

    private Posix() {}

    private static MethodHandle handle(
            String name, FunctionDescriptor type, Linker.Option... options) {
        var symbol = LINKER.defaultLookup().find(name).orElseThrow();
        return LINKER.downcallHandle(symbol, type, options);
    }

    /// Makes a TUN device, which lives as long as this process.
    ///
    /// @return its file descriptor, never blocking
    /// @throws IOException when the system refuses
    static int tun(String name) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var errno = arena.allocate(CAPTURED);
            int device =
                    (int)
                            OPEN.invokeExact(
                                    errno,
                                    arena.allocateFrom("/dev/net/tun"),
                                    READ_WRITE | NON_BLOCKING | CLOSE_ON_EXEC);
            if (device < 0) {
                throw new IOException("/dev/net/tun cannot be opened: error " + number(errno));
            }
            var request = arena.allocate(IFREQ);
            request.setString(0, name);
            request.set(JAVA_SHORT, IFREQ_FLAGS, TUN_WITHOUT_INFORMATION);
            if ((int) IOCTL.invokeExact(errno, device, TUNSETIFF, request) < 0) {
                throw new IOException(
                        "the TUN device " + name + " cannot be made: error " + number(errno));
            }
            return device;
        } catch (IOException e) {
            throw e;
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    private static int number(MemorySegment errno) {
        return errno.get(JAVA_INT, 0);
    }

    /// Bytes read, or less than 1.
    static long read(int file, long address, long length) {
        try {
            return (long) READ.invokeExact(file, address, length);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /// Bytes written, or less than 1.
    static long write(int file, long address, long length) {
        try {
            return (long) WRITE.invokeExact(file, address, length);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /// Waits until one of the files can be read or the time is over.
    ///
    /// @return how many can be read
    static int poll(MemorySegment files, int count, MemorySegment time) {
        try {
            return (int) PPOLL.invokeExact(files, (long) count, time, MemorySegment.NULL);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /// Has this thread's timers go off as exactly as the system can, and this thread run before all
    /// ordinary ones.
    ///
    /// @return whether the second was allowed, without which packets are late on a busy machine
    static boolean goFirst(int priority) {
        try (var arena = Arena.ofConfined()) {
            int slack = (int) PRCTL.invokeExact(TIMER_SLACK, 1L, 0L, 0L, 0L);
            return (int) SCHEDULE.invokeExact(0, FIFO, arena.allocateFrom(JAVA_INT, priority)) == 0
                    && slack == 0;
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /// Memory for as long as this process lives, of which only what is touched is taken.
    static MemorySegment memory(long bytes) {
        try {
            int readAndWrite = 3;
            int privateAndAnonymous = 0x22;
            var mapped =
                    (MemorySegment)
                            MMAP.invokeExact(
                                    MemorySegment.NULL,
                                    bytes,
                                    readAndWrite,
                                    privateAndAnonymous,
                                    -1,
                                    0L);
            if (mapped.address() == -1) {
                throw new OutOfMemoryError(bytes + " bytes cannot be mapped");
            }
            return mapped.reinterpret(bytes);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    private static RuntimeException unexpected(Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        return new IllegalStateException("a system call could not be made", e);
    }
}
