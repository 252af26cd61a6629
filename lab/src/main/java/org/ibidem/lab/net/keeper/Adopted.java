package org.ibidem.lab.net.keeper;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/// The processes whose parents have ended, which makes them children of the laboratory's first:
/// they stay in the system's table until it asks for how they ended.
@SuppressWarnings("restricted") // it calls the system
final class Adopted implements Runnable {
    private static final long PAUSE_MILLIS = 1_000;
    private static final int WITHOUT_WAITING = 1;

    private static final MethodHandle WAITPID =
            Linker.nativeLinker()
                    .downcallHandle(
                            Linker.nativeLinker().defaultLookup().find("waitpid").orElseThrow(),
                            FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));

    @Override
    public void run() {
        Set<Long> before = Set.of();
        while (!Thread.interrupted()) {
            var ended =
                    ProcessHandle.current()
                            .children()
                            .map(ProcessHandle::pid)
                            .filter(Adopted::hasEnded)
                            .collect(Collectors.toSet());
            // The JDK asks at once for those which it has started.
            var adopted = new HashSet<>(ended);
            adopted.retainAll(before);
            adopted.forEach(Adopted::ask);
            before = ended;
            try {
                Thread.sleep(PAUSE_MILLIS);
            } catch (InterruptedException _) {
                return;
            }
        }
    }

    private static boolean hasEnded(long pid) {
        try {
            var state = Files.readString(Path.of("/proc", pid + "", "stat"));
            return state.charAt(state.lastIndexOf(')') + 2) == 'Z';
        } catch (IOException _) {
            return false; // it has been asked for meanwhile
        }
    }

    private static void ask(long pid) {
        try {
            int _ = (int) WAITPID.invokeExact((int) pid, MemorySegment.NULL, WITHOUT_WAITING);
        } catch (Throwable e) {
            throw new IllegalStateException("a system call could not be made", e);
        }
    }
}
