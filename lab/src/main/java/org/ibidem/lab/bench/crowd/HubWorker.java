package org.ibidem.lab.bench.crowd;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Scanner;
import org.ibidem.hub.Bounds;
import org.ibidem.hub.Hub;

/// The hub of a crowd.
final class HubWorker {
    private static final int MOST_MEMBERS = 16 * 1024;

    private HubWorker() {}

    /// Runs a hub: the folder of its state, or nothing. Answers its port; then `heap`.
    public static void main(String[] arguments) throws IOException, InterruptedException {
        var options =
                Hub.Options.DEFAULT
                        .port(0)
                        .bounds(
                                new Bounds(
                                        Bounds.DEFAULT.suspicion(),
                                        16,
                                        MOST_MEMBERS,
                                        Bounds.DEFAULT.changes()));
        try (var hub =
                        Hub.start(
                                arguments.length == 0
                                        ? options
                                        : options.state(Path.of(arguments[0])));
                var commands = new Scanner(System.in, StandardCharsets.UTF_8)) {
            System.out.println(Worker.ANSWER + hub.port());
            while (commands.hasNextLine()) {
                commands.nextLine();
                System.out.println(Worker.ANSWER + Heap.used());
            }
        }
    }
}
