package org.ibidem.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.ibidem.hub.Hub;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// A process whose hub is gone for good.
@Tag("lab")
@Isolated("starts processes, of which some are killed")
@Timeout(60)
class LostHubTest {
    private static final String PROGRAM =
            """
            import org.ibidem.registry.*;

            void main() throws Exception {
                var node = Node.join(Join.fromEnvironment());
                var lost = new java.util.concurrent.CountDownLatch(1);
                node.events(event -> { if (event instanceof PoolEvent.HubLost) lost.countDown(); });
                IO.println("joined");
                lost.await();
                new Thread(() -> System.exit(7)).start();
                Thread.sleep(600_000);
            }
            """;

    @TempDir Path folder;

    @Test
    @SuppressWarnings("try") // closed early: that is what is tested
    void it_can_end_while_its_node_looks_for_the_hub() throws Exception {
        var source = Files.writeString(folder.resolve("Exits.java"), PROGRAM);
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                var run =
                        Launched.run(
                                folder, "--hub", "localhost:" + hub.port(), source.toString())) {
            assertThat(run.line()).isEqualTo("[0] joined");
            hub.close();
            assertThat(run.code()).as(run.errors()).isEqualTo(7);
        }
    }
}
