package org.ibidem.satin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.withinAMinute;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.ibidem.port.Capability;
import org.ibidem.port.PortType;
import org.ibidem.port.ReadMessage;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.ReceiveSetup;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.registry.access.Runtimes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Letters that wait when a process takes part no more.
@Timeout(60)
class LeavingTest extends InOneJvm {
    private static final PortType TYPE =
            PortType.manyToOne().with(Capability.UPCALLS).named(Post.NAME);
    private static final Duration LONG = Duration.ofSeconds(40);
    private static final byte[] LARGE = new byte[4_000_000];

    private final List<Letter> come = new CopyOnWriteArrayList<>();
    private Node here;
    private Node there;

    @BeforeEach
    void join() {
        var join = Join.pool("satin").hub("localhost:" + hub.port());
        here = Node.join(join);
        there = Node.join(join);
        nodes.addAll(List.of(here, there));
    }

    private void read(ReadMessage message) {
        come.add(Letter.head(message).read(message));
    }

    private Peer peer() {
        return new Peer(here, TYPE, there.id(), (unsent, e) -> Post.instead(unsent, e, null));
    }

    @Test
    void what_became_of_jobs_is_written_and_no_question_any_more() throws Exception {
        try (var _ =
                ReceivePort.open(there, TYPE, Post.NAME, ReceiveSetup.USUAL.upcall(this::read))) {
            var peer = peer();
            for (int i = 0; i < 4; i++) {
                peer.done(i, LARGE, false);
            }
            peer.send(Letter.ask(1));
            peer.back(5, "for this test");
            peer.done(6, LARGE, true);
            peer.leave();
            peer.send(Letter.back(7, "too late"));
            peer.awaitLeft(LONG);
            withinAMinute("all have come", () -> come.size() >= 6);
            assertThat(peer.end()).isEmpty();
            assertThat(come).hasSize(6);
            assertThat(come.stream().map(Letter::kind))
                    .containsExactly(
                            Letter.Kind.DONE,
                            Letter.Kind.DONE,
                            Letter.Kind.DONE,
                            Letter.Kind.DONE,
                            Letter.Kind.BACK,
                            Letter.Kind.THREW);
            assertThat(come.getLast().body()).hasSize(LARGE.length);
        }
    }

    /// It has no port, and might have one later.
    @Test
    void a_question_to_one_that_takes_part_no_more_holds_nobody_up() throws Exception {
        var peer = peer();
        peer.send(Letter.ask(1));
        withinAMinute("it is connecting", () -> Runtimes.of(there).channels().waiting() == 1);
        long begun = System.nanoTime();
        peer.leave();
        peer.awaitLeft(LONG);
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(9));
    }

    @Test
    void one_that_was_written_nothing_leaves_at_once() throws Exception {
        var peer = peer();
        peer.leave();
        peer.awaitLeft(LONG);
        assertThat(Runtimes.of(there).channels().waiting()).isZero();
    }
}
