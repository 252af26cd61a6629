package org.ibidem.satin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.withinAMinute;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.Background;
import org.ibidem.Stacks;
import org.ibidem.port.Capability;
import org.ibidem.port.MessageAbandoned;
import org.ibidem.port.PortType;
import org.ibidem.port.ReadMessage;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.ReceiveSetup;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/// Which thread writes the letters to another process, in which order, and what becomes of those
/// that wait.
@ParameterizedClass
@Stacks({"loopback", "shm", "tcp"})
@Timeout(120)
class PeerTest extends InOneJvm {
    private static final Duration LONG = Duration.ofSeconds(40);
    private static final int ROUNDS = 200;
    private static final int MANY = 3000;
    private static final int QUEUED = 300;
    private static final int SMALL = 1000;

    /// Of so many no connection takes that many which nobody reads.
    private static final int LARGE = 200_000;

    @Parameter String stack;

    private final BlockingQueue<Letter> come = new LinkedBlockingQueue<>();
    private volatile CountDownLatch reads = new CountDownLatch(0);
    private PortType type;
    private Node here;
    private Node there;
    private ReceivePort in;
    private Peer peer;

    @BeforeEach
    void join() {
        var join = Join.pool("satin").hub("localhost:" + hub.port());
        here = Node.join(join);
        there = Node.join(join);
        nodes.addAll(List.of(here, there));
        type = PortType.manyToOne().with(Capability.UPCALLS).stack(stack).named(Post.NAME);
        in = receives();
        peer = new Peer(here, type, there.id(), (unsent, e) -> Post.instead(unsent, e, null));
    }

    private ReceivePort receives() {
        return ReceivePort.open(there, type, Post.NAME, ReceiveSetup.USUAL.upcall(this::read));
    }

    private void read(ReadMessage message) throws InterruptedException {
        reads.await();
        try {
            come.add(Letter.head(message).read(message));
        } catch (MessageAbandoned _) {
            return; // it is written again
        }
    }

    private static Letter letter(int number, int bytes) {
        return new Letter(Letter.Kind.DONE, number, 0, new byte[bytes]);
    }

    private Letter next() throws InterruptedException {
        return Objects.requireNonNull(come.poll(LONG.toSeconds(), TimeUnit.SECONDS));
    }

    private void begin() throws InterruptedException {
        peer.send(Letter.ask(0));
        assertThat(next().number()).isZero();
        withinAMinute("its task has ended", peer::isQuiet);
        assertThat(peer.tasks()).isEqualTo(1);
    }

    /// Sends until letters wait, while nobody reads.
    private int fill(int bytes) throws InterruptedException {
        begin();
        reads = new CountDownLatch(1);
        int sent = 0;
        while (peer.waiting() < QUEUED) {
            peer.send(letter(sent++, bytes));
        }
        return sent;
    }

    private List<Long> numbers(int count) throws InterruptedException {
        var numbers = new ArrayList<Long>();
        while (numbers.size() < count) {
            numbers.add(next().number());
        }
        return numbers;
    }

    private static List<Long> upTo(int count) {
        var numbers = new ArrayList<Long>();
        for (long i = 0; i < count; i++) {
            numbers.add(i);
        }
        return numbers;
    }

    @Test
    void a_letter_is_written_by_the_thread_that_sends_it() throws Exception {
        begin();
        for (int i = 0; i < ROUNDS; i++) {
            peer.send(letter(i, 100));
            assertThat(next().number()).isEqualTo(i);
        }
        assertThat(peer.tasks()).isEqualTo(1);
    }

    @Test
    void the_letters_of_each_of_two_writers_arrive_in_order() throws Exception {
        var first = Background.run(() -> writeMany(1));
        var second = Background.run(() -> writeMany(2));
        var last = new HashMap<Long, Long>();
        for (int i = 0; i < 2 * MANY; i++) {
            var letter = next();
            long before = last.getOrDefault(letter.stamp(), -1L);
            assertThat(letter.number()).isEqualTo(before + 1);
            last.put(letter.stamp(), letter.number());
        }
        first.get();
        second.get();
        withinAMinute("nothing is left", peer::isQuiet);
        assertThat(come).isEmpty();
    }

    /// A long one now and then, which a task writes.
    private void writeMany(int writer) {
        for (int i = 0; i < MANY; i++) {
            int bytes = i % 500 == 7 ? 100_000 : 10;
            peer.send(new Letter(Letter.Kind.DONE, i, writer, new byte[bytes]));
        }
    }

    @Test
    void a_process_that_does_not_read_keeps_no_writer_waiting() throws Exception {
        int sent = fill(SMALL);
        reads.countDown();
        assertThat(numbers(sent)).isEqualTo(upTo(sent));
        withinAMinute("its task has ended", peer::isQuiet);
        int tasks = peer.tasks();
        peer.send(letter(sent, 10));
        assertThat(next().number()).isEqualTo(sent);
        assertThat(come).isEmpty();
        assertThat(peer.tasks()).isEqualTo(tasks);
    }

    @Test
    void letters_that_wait_for_a_dead_process_are_dropped() throws Exception {
        fill(SMALL);
        assertThat(peer.end()).isEmpty();
        assertThat(peer.waiting()).isZero();
        peer.send(letter(1, 10));
        assertThat(peer.waiting()).isZero();
        reads.countDown(); // otherwise the port waits for room to say that it ends
        peer.awaitLeft(LONG);
    }

    @Test
    void a_port_that_nobody_writes_to_closes_with_its_process() throws Exception {
        begin();
        peer.end();
        withinAMinute("nothing is connected", () -> in.connections().isEmpty());
    }

    @Test
    void last_words_that_wait_are_written_and_questions_are_not() throws Exception {
        int sent = fill(LARGE);
        peer.send(Letter.ask(1));
        peer.leave();
        peer.send(Letter.back(7, "too late"));
        reads.countDown();
        peer.awaitLeft(LONG);
        assertThat(numbers(sent)).isEqualTo(upTo(sent));
        assertThat(come).isEmpty();
    }

    /// What was in the connection is gone with it, and a letter may come twice.
    @Test
    void letters_that_wait_go_over_the_next_connection_in_order() throws Exception {
        int before = fill(SMALL);
        var sent = new AtomicInteger(before);
        var closing = Background.run(in::close);
        reads.countDown();
        closing.get();
        in = receives();
        withinAMinute(
                "one comes that was sent since",
                () -> {
                    peer.send(letter(sent.getAndIncrement(), 10));
                    return come.stream().anyMatch(letter -> letter.number() >= before);
                });
        withinAMinute("nothing is left", () -> peer.waiting() == 0 && peer.isQuiet());
        assertThat(come.stream().map(Letter::number)).isSorted();
    }

    @Test
    void an_interrupted_thread_sends_and_stays_interrupted() throws Exception {
        begin();
        Thread.currentThread().interrupt();
        peer.send(letter(1, 10));
        peer.send(letter(2, 100_000));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(numbers(2)).containsExactly(1L, 2L);
        withinAMinute("its task has ended", peer::isQuiet);
        int tasks = peer.tasks();
        peer.send(letter(3, 10));
        assertThat(next().number()).isEqualTo(3);
        assertThat(peer.tasks()).isEqualTo(tasks);
    }
}
