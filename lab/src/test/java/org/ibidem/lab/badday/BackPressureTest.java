package org.ibidem.lab.badday;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.ibidem.hub.Hub;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A reader that does not read blocks its writer, and nothing grows.
@Timeout(120)
@Isolated("measures the memory of the process")
class BackPressureTest {
    /// More than the network holds by far, in messages of 10 kB.
    private static final int COUNT = 5_000;

    @ParameterizedTest
    @ValueSource(strings = {"loopback", "shm", "tcp"})
    void nothing_grows_while_a_writer_waits_for_its_reader(String stack) throws Exception {
        check(PortType.oneToOne().stack(stack), 1);
    }

    @Test
    void nor_while_several_writers_wait_for_one_reader() throws Exception {
        check(PortType.manyToOne().stack("tcp"), 3);
    }

    private static void check(PortType type, int writers) throws Exception {
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                var reader = Node.join(Join.pool("demo").hub("localhost:" + hub.port()));
                var node = Node.join(Join.pool("demo").hub("localhost:" + hub.port()));
                var in = ReceivePort.open(reader, type, "in")) {
            var outs = new SendPort[writers];
            for (int i = 0; i < writers; i++) {
                outs[i] = SendPort.open(node, type, "out" + i);
                outs[i].connect(reader.id(), "in");
            }
            var memory = new Memory();
            var writing = new CompletableFuture<?>[writers];
            for (int i = 0; i < writers; i++) {
                var out = outs[i];
                writing[i] =
                        CompletableFuture.runAsync(() -> send(out), Thread::startVirtualThread);
            }
            for (var out : outs) {
                Standstill.await("the writer waits", out::messages);
                assertThat(out.messages()).isLessThan(COUNT);
            }
            memory.requireFlat();
            receive(in, writers);
            CompletableFuture.allOf(writing).join();
            memory.requireFlat();
        }
    }

    private static void send(SendPort out) {
        for (int i = 0; i < COUNT; i++) {
            try (var message = out.newMessage()) {
                Role.write(message, i, Role.SMALL);
            }
        }
    }

    private static void receive(ReceivePort in, int writers) {
        var next = new java.util.HashMap<String, Integer>();
        for (int i = 0; i < COUNT * writers; i++) {
            try (var message = in.receive()) {
                var from = message.origin().port();
                Role.verify(message, next.merge(from, 1, Integer::sum) - 1, Role.SMALL);
            }
        }
    }
}
