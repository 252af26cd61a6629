package org.ibidem.lab.badday;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.cli.Main;
import org.ibidem.hub.Hub;
import org.ibidem.topology.NodeId;

/// What the command says to who asks it.
///
/// @param text all of it
record Screen(String text) {
    /// `ibidem explain A B`.
    static Screen explain(Hub hub, NodeId from, NodeId to) throws Exception {
        var place = List.of("--hub", "localhost:" + hub.port(), "--pool", "demo");
        var arguments = new ArrayList<>(List.of("explain", from.toString(), to.toString()));
        arguments.addAll(place);
        return of(arguments);
    }

    /// `ibidem counters`.
    static Screen counters() throws Exception {
        return of(List.of("counters"));
    }

    private static Screen of(List<String> arguments) throws IOException, InterruptedException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(Main.class.getName());
        command.addAll(arguments);
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (var in = process.getInputStream()) {
            var said = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            System.out.println("$ ibidem " + String.join(" ", arguments) + "\n" + said);
            assertThat(process.waitFor()).as(said).isZero();
            return new Screen(said);
        }
    }

    /// What it says of a network driver.
    String driver(String name) {
        return text.lines()
                .filter(line -> line.matches(name + " +(yes|no) .*"))
                .findFirst()
                .orElse("")
                .replaceAll(" +", " ");
    }
}
