package org.ibidem.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.Background;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Messages of a control link that wait to be taken, and the thread that waits for one.
@Timeout(60)
class InboxTest {
    private static final int MOST = 1000;

    /// What a message is counted for besides its bytes.
    private static final int OVERHEAD = 64;

    private static final Ending END = new Ending.EndOfStream();

    private final AtomicInteger rooms = new AtomicInteger();
    private final Inbox inbox = new Inbox(MOST, rooms::incrementAndGet);

    /// Takes the next one in another thread, which waits by now.
    private CompletableFuture<byte[]> taking() {
        var thread = new CompletableFuture<Thread>();
        var taking =
                Background.call(() -> {
                    thread.complete(Thread.currentThread());
                    return inbox.take();
                });
        var taker = thread.join();
        eventually("it waits", () -> taker.getState() == Thread.State.WAITING);
        return taking;
    }

    @Test
    void who_waits_is_woken_by_a_message() throws Exception {
        var taking = taking();
        inbox.add(new byte[] {7});
        assertThat(taking.get(20, TimeUnit.SECONDS)).containsExactly(7);
    }

    @Test
    void who_waits_is_woken_by_the_end() throws Exception {
        var taking = taking();
        inbox.end(END);
        assertThat(taking.get(20, TimeUnit.SECONDS)).isNull();
        assertThat(inbox.ending()).isEqualTo(END);
    }

    @Test
    void who_waits_is_woken_by_a_close_which_drops_what_was_not_taken() throws Exception {
        var taking = taking();
        inbox.close();
        assertThat(taking.get(20, TimeUnit.SECONDS)).isNull();
        inbox.add(new byte[1]);
        inbox.close();
        assertThat(inbox.poll()).isNull();
        assertThat(inbox.take()).isNull();
    }

    @Test
    void who_is_interrupted_takes_nothing() throws Exception {
        inbox.add(new byte[] {7});
        Thread.currentThread().interrupt();
        assertThatThrownBy(inbox::take).isInstanceOf(InterruptedException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(inbox.take()).containsExactly(7);
    }

    @Test
    void the_end_is_seen_once_all_that_came_before_it_was_taken() throws Exception {
        inbox.add(new byte[] {1});
        inbox.add(new byte[] {2});
        inbox.end(END);
        assertThat(inbox.ending()).isNull();
        assertThat(inbox.take()).containsExactly(1);
        assertThat(inbox.ending()).isNull();
        assertThat(inbox.take()).containsExactly(2);
        assertThat(inbox.ending()).isEqualTo(END);
        assertThat(inbox.take()).isNull();
    }

    @Test
    void it_is_full_at_its_bound_and_says_once_when_there_is_room() {
        inbox.add(new byte[MOST - 2 * OVERHEAD - 1]);
        assertThat(inbox.isFull()).isFalse();
        inbox.add(new byte[1]);
        assertThat(inbox.isFull()).as("exactly").isTrue();
        inbox.add(new byte[10]);
        assertThat(inbox.poll()).isNotNull();
        assertThat(inbox.isFull()).isFalse();
        assertThat(rooms).hasValue(1);
        assertThat(inbox.poll()).hasSize(1);
        assertThat(inbox.poll()).hasSize(10);
        assertThat(inbox.poll()).isNull();
        assertThat(rooms).as("it was said").hasValue(1);
    }
}
