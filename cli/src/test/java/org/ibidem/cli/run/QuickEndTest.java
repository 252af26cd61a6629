package org.ibidem.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// A JVM that ends waits 0.3 s when one of its threads is in a system call then; the one that looks
/// after virtual threads at sockets always is, once it was started.
@Tag("lab")
@Isolated("starts processes")
class QuickEndTest {
    private static final String PROGRAM =
            """
            import java.time.Duration;
            import java.util.List;
            import org.ibidem.port.*;
            import org.ibidem.registry.*;

            public class Greets {
                public static void main(String[] args) {
                    try (var node = Node.join(Join.fromEnvironment())) {
                        var type = PortType.oneToOne();
                        var peer = node.awaitMembers(2, Duration.ofSeconds(60)).get(1 - node.rank());
                        var in = ReceivePort.open(node, type, "in");
                        var out = SendPort.open(node, type, "out");
                        out.connect(peer.id(), "in");
                        try (var message = out.newMessage()) {
                            message.writeString("hello").finish();
                        }
                        try (var message = in.receive()) {
                            System.out.println(message.readString());
                        }
                    }
                    System.out.println("pollers " + names());
                }

                static List<String> names() {
                    return Thread.getAllStackTraces().keySet().stream()
                            .map(Thread::getName)
                            .filter(name -> name.contains("Poller"))
                            .toList();
                }
            }
            """;

    private static final List<String> WITHOUT = List.of("[0] pollers []", "[1] pollers []");

    @TempDir Path folder;

    /// Who has to wait for long in a handshake, as its peer gets no processor, starts it all the
    /// same: so one of three jobs is to be without.
    @Test
    void in_a_small_job_nothing_waits_for_sockets_that_does_not_end_with_its_node()
            throws Exception {
        var source = Files.writeString(folder.resolve("Greets.java"), PROGRAM);
        var lines = ran(source);
        for (int i = 0; i < 2 && !lines.containsAll(WITHOUT); i++) {
            lines = ran(source);
        }
        assertThat(lines).containsAll(WITHOUT);
    }

    private List<String> ran(Path source) throws Exception {
        try (var run = Launched.run(folder, "-n", "2", source.toString())) {
            var lines = run.lines();
            assertThat(run.code()).as(run.errors()).isZero();
            assertThat(lines).contains("[0] hello", "[1] hello").hasSize(4);
            return lines;
        }
    }
}
