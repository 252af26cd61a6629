package org.ibidem.descriptors;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;

/// Another process, which has eventfds, and rings those that it is told.
final class Ringer implements AutoCloseable {
    private final Process process;
    private final BufferedReader said;
    private final int pidfd;

    /// Descriptors of this process for its eventfds.
    final List<Integer> descriptors = new ArrayList<>();

    Ringer(int count) throws IOException {
        process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Ringer.class.getName(),
                                Integer.toString(count))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        said = process.inputReader();
        pidfd = Kernel.pidfd(process.pid());
        for (int i = 0; i < count; i++) {
            descriptors.add(Kernel.taken(pidfd, Integer.parseInt(said.readLine())));
        }
    }

    /// Has one rung.
    void ring(int index) {
        try {
            var to = process.outputWriter();
            to.write(index + "\n");
            to.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// A descriptor that is ready once it has ended.
    int pidfd() {
        return pidfd;
    }

    void kill() {
        process.destroyForcibly();
    }

    @Override
    public void close() throws IOException {
        kill();
        said.close();
        Kernel.LIBC.close(pidfd);
        for (int descriptor : descriptors) {
            Kernel.LIBC.close(descriptor);
        }
    }

    /// What it does until its input ends.
    public static void main(String[] arguments) throws IOException {
        var mine = new ArrayList<Integer>();
        for (int i = 0; i < Integer.parseInt(arguments[0]); i++) {
            mine.add(Kernel.eventfd());
            System.out.println(mine.getLast());
        }
        try (var in = new Scanner(System.in, StandardCharsets.UTF_8)) {
            while (in.hasNextInt()) {
                Kernel.ring(mine.get(in.nextInt()));
            }
        }
    }
}
