package org.ibidem.rmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.withinAMinute;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.ibidem.IbidemException;
import org.ibidem.port.Origin;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Node;
import org.ibidem.rmi.frame.Hashes;
import org.ibidem.rmi.frame.Stub;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a caller may have at a node at once is bounded there, whatever the caller does; it is plain
/// ports here, as one of ours keeps to the bound. Other callers do not notice.
@Timeout(120)
class CallersBoundTest {
    private static final int MOST = Peer.MOST + Peer.MOST_NESTED + 1;

    /// What a link holds of short messages, generously, when nobody reads them any more.
    private static final int ENOUGH = 3 * MOST;

    private static final PortTypes TYPES = PortTypes.over("tcp");
    private static final String AWAIT = "await()V";

    private final Nodes nodes = new Nodes();
    private final Rmi server = nodes.part(Rmi.Options.usual().stack("tcp").running(2 * Peer.MOST));
    private final Rmi honest = nodes.part(Rmi.Options.usual().stack("tcp"));
    private final Node there = nodes.node();
    private final Total total = new Total();

    @AfterEach
    void close() {
        total.opened.countDown();
        nodes.close();
    }

    private static void call(SendPort out, byte word, long id, long object, String method) {
        try (var message = out.newMessage()) {
            message.writeByte(word).writeLong(id).writeLong(object);
            message.writeLong(Hashes.of(method)).writeLong(Long.MAX_VALUE).finish();
        }
    }

    /// Calls until it is disconnected.
    ///
    /// @return how many calls were written by then
    private int flood(SendPort out, byte word, long object, String method) {
        int written = 0;
        try {
            while (written < ENOUGH && !out.connections().isEmpty()) {
                call(out, word, written++, object, method);
            }
        } catch (IbidemException _) {
            // it is disconnected
        }
        return written;
    }

    private Counter served(Total other) throws Exception {
        server.names().bind("counter", server.export(other));
        var counter = honest.names().lookup("counter", Counter.class);
        assertThat(counter.add(1)).isEqualTo(1);
        return counter;
    }

    /// All but one wait for their turn. Each of them is over when its caller is disconnected.
    @ParameterizedTest
    @ValueSource(bytes = {Words.CALL, Words.ONE_WAY})
    void who_has_too_many_calls_there_is_disconnected_and_another_is_served(byte word)
            throws Exception {
        var counter = served(new Total());
        long object = Stub.of(server.activate(total, ENOUGH)).reference().object();
        try (var _ = ReceivePort.open(there, TYPES.replies(), "flood");
                var out = SendPort.open(there, TYPES.calls(), "flood")) {
            out.connect(nodes.node(0).id(), Serving.NAME);
            for (int i = 0; i < MOST; i++) {
                call(out, word, i, object, AWAIT);
            }
            withinAMinute("it waits", () -> total.awaiting.get() == 1);
            assertThat(counter.add(1)).isEqualTo(2);
            assertThat(out.connections()).as("so many it may have").hasSize(1);
            flood(out, word, object, AWAIT);
            withinAMinute("it is sent away", () -> out.connections().isEmpty());
            withinAMinute("none waits", () -> total.awaiting.get() == 0);
            assertThat(counter.add(1)).isEqualTo(3);
        }
        try (var _ = ReceivePort.open(there, TYPES.replies(), "again");
                var out = SendPort.open(there, TYPES.calls(), "again")) {
            out.connect(nodes.node(0).id(), Serving.NAME);
            call(out, Words.ONE_WAY, 0, object, "nothing()V");
            assertThat(out.connections()).as("it may come again").hasSize(1);
        }
        assertThat(counter.add(1)).isEqualTo(4);
        assertThat(total.interrupted).as("none of the others has begun").hasValue(1);
    }

    /// What a reply refers to is kept until it is said that it has come.
    @Test
    void who_never_says_that_references_have_come_is_disconnected() throws Exception {
        var counter = served(new Total());
        long object = Stub.of(server.export(total)).reference().object();
        var ended = new AtomicBoolean();
        try (var in = ReceivePort.open(there, TYPES.replies(), "silent");
                var out = SendPort.open(there, TYPES.calls(), "silent")) {
            Thread.startVirtualThread(() -> readAll(in, ended));
            out.connect(nodes.node(0).id(), Serving.NAME);
            int written = flood(out, Words.CALL, object, "me()Lorg/ibidem/rmi/Counter;");
            assertThat(written).isGreaterThan(MOST).isLessThan(ENOUGH);
            withinAMinute("it is sent away", () -> out.connections().isEmpty());
            assertThat(counter.me().add(1)).isEqualTo(2);
            ended.set(true);
        }
    }

    private static void readAll(ReceivePort in, AtomicBoolean ended) {
        while (!ended.get()) {
            try (var _ = in.receive()) {
                // it came
            } catch (IbidemException _) {
                // the next one
            }
        }
    }

    /// One of ours waits with a call of its own until another of its calls is over.
    @Test
    void one_of_ours_waits_before_it_has_too_many() throws Exception {
        var counter = served(total);
        var other = nodes.part(Rmi.Options.usual().stack("tcp"));
        var later = other.beside(other.names().lookup("counter", Counter.class), Later.class);
        var calls = new ConcurrentLinkedQueue<CompletableFuture<Void>>();
        var caller =
                Thread.ofPlatform()
                        .start(() -> {
                            for (int i = 0; i <= Peer.MOST; i++) {
                                calls.add(later.await());
                            }
                        });
        withinAMinute(
                "all wait, and the caller",
                () ->
                        total.awaiting.get() == Peer.MOST
                                && caller.getState() == Thread.State.WAITING);
        assertThat(counter.add(1)).isEqualTo(2);
        assertThat(calls).as("the next one is not begun").hasSize(Peer.MOST);
        total.opened.countDown();
        caller.join();
        for (var each : calls) {
            each.get(60, TimeUnit.SECONDS);
        }
        assertThat(calls).hasSize(Peer.MOST + 1);
    }

    /// Beside [Counter].
    public interface Later {
        CompletableFuture<Void> await();
    }

    private static void giveUp(SendPort out, long id) {
        try (var message = out.newMessage()) {
            message.writeByte(Words.CANCEL).writeLong(id).finish();
        }
    }

    /// That it is given up overtakes it, as it goes by another connection.
    @Test
    void a_call_that_is_given_up_before_it_comes_does_not_run() throws Exception {
        long object = Stub.of(server.export(total)).reference().object();
        var node = nodes.node(0).id();
        try (var in = ReceivePort.open(there, TYPES.replies(), "early");
                var out = SendPort.open(there, TYPES.calls(), "early");
                var beside = SendPort.open(there, TYPES.givenUp(), "early")) {
            out.connect(node, Serving.NAME);
            beside.connect(node, Abandoned.NAME);
            call(out, Words.CALL, 4, object, AWAIT);
            withinAMinute("it waits", () -> total.awaiting.get() == 1);
            giveUp(beside, 5);
            giveUp(beside, 4);
            withinAMinute(
                    "it is interrupted", () -> total.interrupted.get() == 1); // so both were heard
            try (var reply = in.receive()) {
                assertThat(reply.readByte()).isEqualTo(Words.THREW);
            }
            call(out, Words.CALL, 5, object, "nothing()V");
            try (var reply = in.receive()) {
                assertThat(reply.readByte()).isEqualTo(Words.BAD_ARGUMENTS);
                assertThat(reply.readLong()).isEqualTo(5);
                assertThat(reply.readString()).isEqualTo("it was given up before it was read");
            }
            call(out, Words.CALL, 6, object, "nothing()V");
            try (var reply = in.receive()) {
                assertThat(reply.readByte()).isEqualTo(Words.RETURNED);
                assertThat(reply.readLong()).isEqualTo(6);
            }
        }
        assertThat(total.awaiting).hasValue(0);
    }

    /// Its caller is lost between the moment that it is known and that its arguments are read.
    @Test
    void a_call_whose_caller_has_gone_meanwhile_does_not_run() {
        var part = new Part(there, Rmi.Options.usual(), Duration.ofSeconds(1));
        try (var callers = new Callers(part)) {
            var from = new Origin(nodes.node(1).id(), "meanwhile");
            assertThat(callers.connecting(null, from)).isTrue();
            var caller = callers.of(from);
            var exported = part.export(total, 0);
            var call = exported.entry(Hashes.of(AWAIT)).served(exported);
            call.begin(caller, 1, false);
            assertThat(caller.has(call)).isTrue();
            caller.hasRun(call);
            callers.drop(from);
            assertThat(caller.has(call)).isFalse();
        } finally {
            part.close();
        }
    }
}
