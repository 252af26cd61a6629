package org.ibidem.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.ibidem.arbitration.WaitInterrupted;
import org.ibidem.messaging.Procedure;
import org.ibidem.messaging.Subject;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/// Whatever waits ends by an interrupt of its thread with one exception, the same for all.
@Timeout(60)
class InterruptedWaitsTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final PortType TYPE = PortType.oneToOne();

    private static final Hub HUB = Hub.start(Hub.Options.DEFAULT.port(0));
    private static final Node NODE = Node.join(join());
    private static final Node OTHER = Node.join(join());

    private static Join join() {
        return Join.pool("interrupted").hub("localhost:" + HUB.port());
    }

    @AfterAll
    static void close() {
        NODE.close();
        OTHER.close();
        HUB.close();
    }

    @TestFactory
    Stream<DynamicTest> ends_with_one_exception() {
        var absent = new NodeId(1, 2);
        var all = new LinkedHashMap<String, Runnable>();
        all.put("join", () -> Node.join(join()));
        all.put("awaitMembers", () -> NODE.awaitMembers(9, LIMIT));
        all.put("awaitClosed", () -> NODE.awaitClosed(LIMIT));
        all.put("awaitTerminated", () -> NODE.awaitTerminated(LIMIT));
        all.put("contact", () -> NODE.contact(absent, LIMIT));
        all.put("elect", () -> NODE.elections().elect("elect"));
        all.put("result", () -> NODE.elections().result("result", LIMIT));
        all.put("withdraw", () -> NODE.elections().withdraw("withdraw"));
        all.put("next", () -> NODE.sequences().next("next"));
        all.put("add", () -> NODE.tokens().add("add", 1));
        all.put("count", () -> NODE.tokens().count("count"));
        all.put("take", () -> NODE.tokens().take("take", LIMIT));
        all.put("signal", () -> NODE.signals().send("signal", OTHER.id()));
        all.put("connect", () -> port().connect(OTHER.id(), "absent", LIMIT));
        all.put("receive", () -> ReceivePort.open(NODE, TYPE, "receive").receive());
        all.put("receive within", () -> ReceivePort.open(NODE, TYPE, "within").receive(LIMIT));
        all.put("sender", () -> Subject.of("absent", String.class).sender(NODE, OTHER.id()));
        all.put(
                "caller",
                () -> Procedure.of("absent", String.class, String.class).caller(NODE, OTHER.id()));
        return all.entrySet().stream()
                .map(each -> DynamicTest.dynamicTest(each.getKey(), () -> ends(each)));
    }

    private static SendPort port() {
        return SendPort.open(NODE, TYPE, "out");
    }

    private static void ends(Map.Entry<String, Runnable> call) {
        Thread.currentThread().interrupt();
        var thrown = catchThrowable(call.getValue()::run);
        assertThat(Thread.interrupted()).as("its status stays set").isTrue();
        assertThat(thrown).as(call.getKey()).isInstanceOf(WaitInterrupted.class);
    }
}
