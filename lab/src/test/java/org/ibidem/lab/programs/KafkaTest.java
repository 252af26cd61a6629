package org.ibidem.lab.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// A broker of Kafka and its clients on one machine, over shared memory.
@Tag("full")
@Timeout(300)
@Isolated("starts processes")
class KafkaTest {
    @TempDir private Path folder;

    @Test
    void a_producer_and_a_consumer_meet_at_a_broker() throws Exception {
        var kafka = Kafka.find(folder);
        var address = Programs.address(0);
        int port = Programs.freePort();
        var broker = kafka.broker(address, port);
        try (var programs = new Programs(2)) {
            drain(programs.start(0, "shm", Programs.beside(kafka.classes()), broker));
            var classes = Programs.beside(kafka.clientClasses());
            var client = programs.start(1, "shm", classes, Kafka.client(address, port));
            assertThat(Programs.rest(client)).contains("made", "checked");
        }
    }

    private static void drain(Process server) {
        var _ =
                CompletableFuture.runAsync(
                        () -> server.inputReader().lines().forEach(_ -> {}),
                        Thread::startVirtualThread);
    }
}
