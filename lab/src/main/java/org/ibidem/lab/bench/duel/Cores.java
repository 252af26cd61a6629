package org.ibidem.lab.bench.duel;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/// Which two cores the sides are pinned to, and with what.
///
/// @param command put in front of each side's command; empty where nothing can be pinned
/// @param about what was found, for people
record Cores(List<List<String>> command, String about) {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String ALLOWED = "Cpus_allowed_list:";

    /// Two cores that this process may use and that are not two threads of one core, if there are
    /// such.
    static Cores find() throws IOException {
        var taskset =
                List.of("/usr/bin/taskset", "/bin/taskset").stream()
                        .filter(f -> Files.isExecutable(Path.of(f)))
                        .findFirst();
        if (taskset.isEmpty() || !Files.isReadable(STATUS)) {
            return new Cores(
                    List.of(List.of(), List.of()),
                    "NOT pinned: no taskset here (package util-linux)");
        }
        return choose(taskset.get(), allowed(Files.readAllLines(STATUS)), Cores::siblings);
    }

    /// Two of the cores allowed.
    ///
    /// @param siblings the threads of the core that a thread belongs to
    static Cores choose(
            String taskset, List<Integer> allowed, IntFunction<List<Integer>> siblings) {
        if (allowed.size() < 2) {
            return new Cores(
                    List.of(List.of(), List.of()), "NOT pinned: only one core may be used here");
        }
        int one = allowed.getFirst();
        var same = siblings.apply(one);
        int other =
                allowed.stream()
                        .filter(c -> c != one && !same.contains(c))
                        .findFirst()
                        .orElse(allowed.get(1));
        var about =
                "pinned to cores "
                        + one
                        + " and "
                        + other
                        + (same.contains(other)
                                ? " (two threads of ONE core: there is no better pair)"
                                : "");
        return new Cores(List.of(pin(taskset, one), pin(taskset, other)), about);
    }

    private static List<String> pin(String taskset, int core) {
        return List.of(taskset, "-c", Integer.toString(core));
    }

    static List<Integer> allowed(List<String> status) {
        return status.stream()
                .filter(l -> l.startsWith(ALLOWED))
                .findFirst()
                .map(l -> list(l.substring(ALLOWED.length())))
                .orElse(List.of());
    }

    private static List<Integer> siblings(int core) {
        var file = Path.of("/sys/devices/system/cpu/cpu" + core + "/topology/thread_siblings_list");
        try {
            return Files.isReadable(file) ? list(Files.readString(file)) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Reads the kernel's way of writing sets of cores: `0-3,8`.
    private static List<Integer> list(String text) {
        var cores = new ArrayList<Integer>();
        for (var part : text.strip().split(",", -1)) {
            var ends = part.split("-", -1);
            for (int c = Integer.parseInt(ends[0]);
                    c <= Integer.parseInt(ends[ends.length - 1]);
                    c++) {
                cores.add(c);
            }
        }
        return cores;
    }
}
