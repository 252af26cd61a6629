package org.ibidem.lab.nemesis;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.ibidem.hub.Bounds;
import org.ibidem.hub.CannotKeepState;
import org.ibidem.hub.Hub;

/// The hub in a process of its own: `PORT FOLDER SUSPICION`, the last in milliseconds. Says `ready
/// PORT`, or `refuses WHY`.
final class HubMain {
    private HubMain() {}

    public static void main(String[] arguments) throws IOException {
        var options =
                Hub.Options.DEFAULT
                        .port(Integer.parseInt(arguments[0]))
                        .state(Path.of(arguments[1]))
                        .bounds(
                                Bounds.DEFAULT.suspicion(
                                        Duration.ofMillis(Long.parseLong(arguments[2]))));
        try {
            System.out.println("ready " + Hub.start(options).port());
        } catch (CannotKeepState e) {
            System.out.println("refuses " + e.getMessage());
        }
        while (System.in.read() >= 0) {
            // ends when its parent does
        }
        Runtime.getRuntime().halt(0);
    }
}
