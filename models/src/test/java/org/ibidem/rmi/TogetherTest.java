package org.ibidem.rmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.withinAMinute;

import java.rmi.Remote;
import java.rmi.RemoteException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.ibidem.port.Capability;
import org.ibidem.port.Data;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Node;
import org.ibidem.rmi.frame.Hashes;
import org.ibidem.rmi.frame.Stub;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Calls that are made while replies are read, and replies to calls that have come together, leave
/// together.
@Timeout(60)
class TogetherTest {
    private static final PortType CALLS =
            PortType.manyToOne()
                    .with(Capability.UPCALLS, Capability.CONNECTION_UPCALLS)
                    .data(Data.OBJECT)
                    .named("rmi-calls")
                    .stack("tcp");
    private static final PortType REPLIES =
            PortType.manyToOne()
                    .with(Capability.CONNECTION_UPCALLS)
                    .data(Data.OBJECT)
                    .named("rmi-replies")
                    .stack("tcp");
    private static final Duration SOON = Duration.ofMillis(20);
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final int CALLED = 8;

    private final Nodes nodes = new Nodes();
    private Part part;

    /// What is called.
    public interface Looks extends Remote {
        int look(int number) throws RemoteException;
    }

    /// Beside it.
    public interface Later {
        CompletableFuture<Integer> look(int number);
    }

    @BeforeEach
    void open() {
        part = new Part(nodes.node(), Rmi.Options.usual().stack("tcp"));
    }

    @AfterEach
    void close() {
        part.close();
        nodes.close();
    }

    /// Says whether replies were kept back when it ran.
    private final class Looked implements Looks {
        final List<Boolean> kept = Collections.synchronizedList(new ArrayList<>());

        @Override
        public int look(int number) {
            kept.add(part.serving().keeps());
            return number + 1;
        }
    }

    @Test
    void replies_to_calls_that_came_together_leave_together() throws Exception {
        var object = new Looked();
        var stub = Stub.of(new Rmi(part).export(object));
        long number = stub.reference().object();
        Node there = nodes.node();
        try (var in = ReceivePort.open(there, REPLIES, "back");
                var out = SendPort.open(there, CALLS, "back")) {
            out.connect(part.node().id(), "rmi");
            withinAMinute(
                    "replies are kept",
                    () -> { // it must have been short some times before
                        if (part.serving().keeps()) {
                            return false; // not all of the last time is over
                        }
                        object.kept.clear();
                        for (int i = 0; i < CALLED; i++) {
                            call(out, number, i);
                        }
                        out.flush();
                        for (int i = 0; i < CALLED; i++) {
                            try (var message = in.receive()) {
                                assertThat(message.readByte()).isEqualTo(Words.RETURNED);
                                int which = (int) message.readLong();
                                assertThat(message.readInt()).isEqualTo(which + 1);
                            }
                        }
                        return object.kept.subList(1, CALLED).stream().allMatch(each -> each);
                    });
            assertThat(object.kept.getFirst()).isFalse();
            withinAMinute("no reply is kept", () -> !part.serving().keeps());
        }
    }

    private static void call(SendPort out, long object, int argument) {
        try (var message = out.newMessage()) {
            message.writeByte(Words.CALL).writeLong(argument).writeLong(object);
            message.writeLong(Hashes.of("look(I)I")).writeLong(Long.MAX_VALUE);
            message.writeInt(argument).finishHeld();
        }
    }

    @Test
    void a_call_is_kept_while_replies_are_read_and_sent_before_they_are_waited_for() {
        Node there = nodes.node();
        try (var in = ReceivePort.open(there, REPLIES, "in");
                var out = SendPort.open(part.node(), REPLIES, "out")) {
            out.connect(there.id(), "in");
            var together = new Together(out);
            held(out);
            together.keeps();
            assertThat(isThere(in, LONG)).as("nobody reads").isTrue();
            together.reads();
            assertThat(together.isBusy()).isTrue();
            held(out);
            together.keeps();
            assertThat(isThere(in, SOON)).isFalse();
            try (var _ = out.newMessage()) { // as another thread would have it in hand
                together.waits();
                assertThat(together.isBusy()).isFalse();
            }
            together.reads();
            together.waits();
            assertThat(isThere(in, LONG)).isTrue();
        }
    }

    private static void held(SendPort out) {
        try (var message = out.newMessage()) {
            message.writeInt(1).finishHeld();
        }
    }

    private static boolean isThere(ReceivePort in, Duration limit) {
        try (var message = in.receive(limit)) {
            return message != null;
        }
    }

    /// Nobody waits for ever, whoever reads for whom.
    @ParameterizedTest
    @ValueSource(strings = {"tcp", "shm"})
    void threads_and_futures_that_call_at_once_all_get_their_own(String stack) throws Exception {
        var options = Rmi.Options.usual().stack(stack);
        var server = nodes.part(options);
        var client = nodes.part(options);
        server.names().bind("looks", server.export(new Looked()));
        var looks = client.names().lookup("looks", Looks.class);
        var later = client.beside(looks, Later.class);
        try (var threads = Executors.newFixedThreadPool(24)) {
            var all = new ArrayList<Future<?>>();
            for (int i = 0; i < 24; i++) {
                int from = 1000 * i;
                all.add(
                        threads.submit(() -> {
                            for (int k = from; k < from + 200; k++) {
                                var future = k % 5 == 0 ? later.look(k) : null;
                                assertThat(looks.look(k)).isEqualTo(k + 1);
                                if (future != null) {
                                    assertThat(future.get()).isEqualTo(k + 1);
                                }
                            }
                            return null;
                        }));
            }
            for (var each : all) {
                each.get();
            }
        }
    }
}
