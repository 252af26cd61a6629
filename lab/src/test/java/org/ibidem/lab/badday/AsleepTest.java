package org.ibidem.lab.badday;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.withinAMinute;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import org.ibidem.hub.Hub;
import org.ibidem.port.PortClosed;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Who has nothing to do uses no processor, whatever it is connected to.
@Tag("lab")
@Timeout(180)
class AsleepTest {
    private static final int LINKS = 64;
    private static final Duration WATCHED =
            Boolean.getBoolean("ibidem.full") ? Duration.ofMinutes(1) : Duration.ofSeconds(5);

    /// Of one core, in these two nodes, their hub and the JVM's own threads: a single thread that
    /// spins takes all of it.
    private static final double MOST = 0.1;

    private static long cpu() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void a_node_with_64_links_that_waits_for_messages_uses_no_processor(String stack)
            throws Exception {
        var type = PortType.manyToOne().stack(stack);
        var outs = new ArrayList<SendPort>();
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                var here = Node.join(Join.pool("demo").hub("localhost:" + hub.port()));
                var there = Node.join(Join.pool("demo").hub("localhost:" + hub.port()))) {
            CompletableFuture<Void> reading;
            try (var in = ReceivePort.open(there, type, "in")) {
                reading = CompletableFuture.runAsync(() -> readAll(in), Thread::startVirtualThread);
                for (int i = 0; i < LINKS; i++) {
                    outs.add(SendPort.open(here, type, "out " + i));
                    outs.getLast().connect(there.id(), "in");
                    send(outs.getLast());
                }
                withinAMinute("all is read", () -> in.messages() == LINKS);
                double share = cpuShare();
                // The compiler's threads may have something left to do; a thread that spins never
                // ends.
                for (int i = 0; i < 5 && share > MOST; i++) {
                    share = cpuShare();
                }
                System.out.printf(
                        "%s: %d links asleep use %.2f s of processor in a minute%n",
                        stack, LINKS, 60 * share);
                assertThat(share).isLessThan(MOST);
                outs.forEach(AsleepTest::send);
                withinAMinute("all wake up", () -> in.messages() == 2 * LINKS);
                outs.forEach(SendPort::close);
            }
            reading.join();
        }
    }

    private static double cpuShare() throws InterruptedException {
        long before = cpu();
        long start = System.nanoTime();
        Thread.sleep(WATCHED); // what is tested is that time passes
        return (double) (cpu() - before) / (System.nanoTime() - start);
    }

    private static void send(SendPort out) {
        try (var message = out.newMessage()) {
            message.writeInt(1).finish();
        }
    }

    private static void readAll(ReceivePort in) {
        try {
            while (true) {
                try (var message = in.receive()) {
                    assertThat(message.readInt()).isOne();
                }
            }
        } catch (PortClosed _) {
            // at the end
        }
    }
}
