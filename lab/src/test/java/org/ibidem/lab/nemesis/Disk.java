package org.ibidem.lab.nemesis;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// A small disk that only processes begun [#within] it have: a tmpfs in a mount namespace, held by
/// a process that sleeps. Who is not root has it in a user namespace.
final class Disk implements AutoCloseable {
    private static final String SIZE = "16m";
    private static final int BLOCK = 64 * 1024;

    private final Process holder;
    private final List<String> entry;
    private final Path folder;

    private Disk(Process holder, List<String> entry, Path folder) {
        this.holder = holder;
        this.entry = entry;
        this.folder = folder;
    }

    /// One at this folder; none where this machine allows no such thing.
    static Optional<Disk> at(Path folder) throws IOException {
        var asRoot = mounted(folder, List.of(), List.of());
        return asRoot.isPresent()
                ? asRoot
                : mounted(folder, List.of("-U", "-r"), List.of("-U", "--preserve-credentials"));
    }

    private static Optional<Disk> mounted(Path folder, List<String> made, List<String> entered)
            throws IOException {
        var command = new ArrayList<>(List.of("unshare"));
        command.addAll(made);
        var mount = "mount -t tmpfs -o size=" + SIZE + ",mode=700 tmpfs \"$0\" && echo here && cat";
        command.addAll(List.of("-m", "--", "sh", "-c", mount, folder.toString()));
        Process holder;
        try {
            holder =
                    new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
        } catch (IOException _) {
            return Optional.empty(); // there is no unshare
        }
        if (!"here".equals(holder.inputReader(StandardCharsets.UTF_8).readLine())) {
            holder.destroyForcibly();
            return Optional.empty();
        }
        var entry = new ArrayList<>(List.of("nsenter", "-t", String.valueOf(holder.pid())));
        entry.addAll(entered);
        entry.addAll(List.of("-m", "--"));
        return Optional.of(new Disk(holder, entry, folder));
    }

    /// What begins the command of a process that has it.
    List<String> within() {
        return entry;
    }

    /// Where such a process finds it.
    Path folder() {
        return folder;
    }

    /// Where it is from outside.
    private Path here() {
        return Path.of("/proc", String.valueOf(holder.pid()), "root" + folder);
    }

    /// Leaves no room.
    void fill() throws IOException {
        try (var out = Files.newOutputStream(here().resolve("filler"))) {
            for (int size = BLOCK; size > 0; size /= 16) {
                try {
                    while (true) {
                        out.write(new byte[size]);
                    }
                } catch (IOException _) {
                    // no room for so much
                }
            }
        }
    }

    /// Makes room again.
    void free() throws IOException {
        Files.deleteIfExists(here().resolve("filler"));
    }

    /// The newest journal in a folder of it.
    Path journal(String state) throws IOException {
        try (var files = Files.list(here().resolve(state))) {
            return files.filter(file -> file.getFileName().toString().matches("journal-[0-9]+"))
                    .max(
                            Comparator.comparingLong(file ->
                                    Long.parseLong(file.getFileName().toString().substring(8))))
                    .orElseThrow();
        }
    }

    @Override
    public void close() {
        holder.destroyForcibly();
    }
}
