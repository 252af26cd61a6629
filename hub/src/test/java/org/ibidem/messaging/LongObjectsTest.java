package org.ibidem.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.eventually;
import static org.ibidem.messaging.Members.LIMIT;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.ibidem.Background;
import org.ibidem.arbitration.WaitInterrupted;
import org.ibidem.port.ConnectionLost;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Objects of which a part is here: who waits for the rest may be interrupted, or have no time
/// left, and none is lost.
@Timeout(60)
class LongObjectsTest {
    private static final Duration SHORT = Duration.ofMillis(100);

    private static Members members;
    private static int names;

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final Halves halves = new Halves(begun, goOn);
    private final Subject<Object> subject =
            Subject.of("objects" + names++, Object.class).allow(Halves.class);

    private Receiver<Object> receiver;
    private Sender<Object> sender;
    private CompletableFuture<Boolean> sent;

    @BeforeAll
    static void join() {
        members = new Members(2);
    }

    @AfterAll
    static void leave() {
        members.close();
    }

    @BeforeEach
    void sendHalf() throws Exception {
        receiver = subject.receiver(members.get(1));
        sender = subject.sender(members.get(0), members.get(1).id());
        sent =
                Background.call(() -> {
                    sender.send(halves);
                    sender.send("next");
                    return true;
                });
        assertThat(begun.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    @AfterEach
    void close() throws Exception {
        goOn.countDown();
        sent.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        sender.close();
        receiver.close();
    }

    @Test
    void an_interrupt_in_the_middle_of_one_loses_none() throws Exception {
        for (int i = 0; i < 3; i++) {
            var waits = Background.call(() -> interrupted());
            assertThat(waits.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        }
        allCome();
    }

    /// By somebody else while it waits: in the end all have come.
    private boolean interrupted() {
        var me = Thread.currentThread();
        var late =
                Background.call(() -> {
                    eventually("it waits", () -> me.getState() != Thread.State.RUNNABLE);
                    me.interrupt();
                    return true;
                });
        try {
            return receiver.receive() == null;
        } catch (WaitInterrupted _) {
            late.join();
            return Thread.interrupted();
        }
    }

    @Test
    void a_limit_that_is_over_in_the_middle_of_one_loses_none() {
        assertThat(receiver.receive(SHORT)).isNull();
        assertThat(receiver.receive(SHORT)).isNull();
        assertThat(receiver.receive(Duration.ZERO)).isNull();
        allCome();
    }

    @Test
    void a_look_does_not_wait_for_the_rest() {
        for (int i = 0; i < 100; i++) {
            assertThat(receiver.poll()).isNull();
        }
        allCome();
    }

    @Test
    void a_loop_goes_on_with_one_that_was_left() {
        assertThat(receiver.receive(SHORT)).isNull();
        goOn.countDown();
        var loop = receiver.iterator();
        assertThat(loop.next()).isInstanceOf(Halves.class);
        assertThat(loop.next()).isEqualTo("next");
    }

    /// What is on its way when the sender hears of it may still be sent, and what follows is not.
    @Test
    void a_receiver_may_be_closed_in_the_middle_of_one() {
        assertThat(receiver.receive(SHORT)).isNull();
        receiver.close();
        goOn.countDown();
        var more =
                Background.call(() -> {
                    sent.join();
                    while (true) {
                        sender.send("more");
                    }
                });
        assertThat(more)
                .failsWithin(LIMIT)
                .withThrowableThat()
                .withRootCauseInstanceOf(ConnectionLost.class);
        sent = CompletableFuture.completedFuture(true);
    }

    private void allCome() {
        goOn.countDown();
        assertThat(receiver.receive(LIMIT)).isInstanceOf(Halves.class);
        assertThat(receiver.receive(LIMIT)).isEqualTo("next");
    }
}
