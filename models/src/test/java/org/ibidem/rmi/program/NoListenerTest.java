package org.ibidem.rmi.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ibidem.hub.Hub;
import org.ibidem.rmi.rewrite.Programs;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// Rewritten programs, started by `java` as others are, in processes of their own.
@Tag("slow")
@Isolated("starts processes")
@Timeout(120)
class NoListenerTest {
    @TempDir Path folder;
    @TempDir Path logs;

    private Process started(Hub hub, String main) throws IOException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of(
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xlog:class+load:file=" + logs.resolve(main),
                        "-Dibidem.hub=localhost:" + hub.port(),
                        "-Dibidem.pool=engine",
                        "-Dibidem.rmi.own=" + folder));
        var path = List.of(folder.toString(), System.getProperty("java.class.path"));
        command.addAll(
                List.of("-cp", String.join(File.pathSeparator, path), main, "1099", "secure"));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    /// Ports where a process waits for connections.
    private static List<Integer> listeners(Process process) throws IOException {
        var all = new HashMap<String, Integer>();
        for (var table : List.of("tcp", "tcp6")) {
            for (var line : Files.readAllLines(Path.of("/proc/net/" + table))) {
                var words = line.strip().split("\\s+", -1);
                if (words[3].equals("0A")) {
                    int port = Integer.parseInt(words[1].substring(words[1].indexOf(':') + 1), 16);
                    all.put("socket:[" + words[9] + "]", port);
                }
            }
        }
        var mine = new ArrayList<Integer>();
        try (var open = Files.list(Path.of("/proc/" + process.pid() + "/fd"))) {
            for (var each : open.toList()) {
                var port = all.get(Files.readSymbolicLink(each).toString());
                if (port != null) {
                    mine.add(port);
                }
            }
        }
        return mine;
    }

    private List<String> loaded(String main) throws IOException {
        return Files.readAllLines(logs.resolve(main)).stream()
                .filter(line -> line.contains("rmi."))
                .toList();
    }

    @Test
    void a_process_lives_with_its_objects_and_has_nothing_of_the_rmi_of_the_jdk() throws Exception {
        assumeTrue(Files.exists(Path.of("/proc/net/tcp")), "sockets are looked up in /proc");
        Sources.compiled(folder, "compute");
        Programs.rewrite(List.of(folder));
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0))) {
            var engine = started(hub, "compute.Engine");
            try {
                assertThat(engine.inputReader().readLine()).isEqualTo("engine bound");
                assertThat(listeners(engine))
                        .as("those of its node, for IPv4 and IPv6")
                        .hasSizeLessThanOrEqualTo(2)
                        .doesNotContain(1099);
                var ask = started(hub, "compute.Ask");
                var said = ask.inputReader().lines().toList();
                assertThat(said)
                        .containsExactly(
                                "2.718281828459045235360287471352662497757247094",
                                "hello from the engine");
                assertThat(ask.waitFor(30, TimeUnit.SECONDS)).isTrue();
                assertThat(ask.exitValue()).isZero();
                assertThat(engine.isAlive()).isTrue();
            } finally {
                engine.destroyForcibly().waitFor();
            }
        }
        for (var main : List.of("compute.Engine", "compute.Ask")) {
            assertThat(loaded(main))
                    .anyMatch(line -> line.contains("org.ibidem.rmi.program.PoolRegistry"))
                    .noneMatch(line -> line.contains("sun.rmi."));
        }
    }
}
