package org.ibidem.wait;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.Pipe;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What a waiter tells its source, and its selector.
@Timeout(20)
class DirectWaitTest {
    private final Selector selector = Selector.open();
    private final Pipe pipe = open();
    private final Pipe other = open();
    private final List<String> calls = new ArrayList<>();
    private Armed answer = Armed.SLEEP;
    private final DirectWait wait = new DirectWait(new Source(), selector, selector::wakeup);

    DirectWaitTest() throws IOException {}

    private static Pipe open() throws IOException {
        var pipe = Pipe.open();
        pipe.source().configureBlocking(false);
        return pipe;
    }

    private final class Source implements DirectWait.Source {
        @Override
        public Armed arm(DirectWait by) {
            calls.add("arm");
            return answer;
        }

        @Override
        public void disarm(DirectWait by) {
            calls.add("disarm");
        }

        @Override
        public void detach(DirectWait by) {
            calls.add("detach");
        }
    }

    @AfterEach
    void close() throws IOException {
        selector.close();
        for (var each : List.of(pipe, other)) {
            each.source().close();
            each.sink().close();
        }
    }

    private boolean registers(Pipe at, int interest) {
        return wait.registers(at.source(), interest);
    }

    private boolean registers() {
        return registers(pipe, SelectionKey.OP_READ);
    }

    @Test
    void the_source_answers_and_hears_of_the_wait() {
        assertThat(wait.arm()).isEqualTo(Armed.SLEEP);
        answer = null;
        assertThat(wait.arm()).isNull();
        wait.disarm();
        wait.close();
        assertThat(calls).containsExactly("arm", "arm", "disarm", "detach");
    }

    @Test
    void a_selection_is_told_once() {
        assertThat(wait.wasSelected()).isFalse();
        wait.ready();
        assertThat(wait.wasSelected()).isTrue();
        assertThat(wait.wasSelected()).isFalse();
    }

    @Test
    void its_wakeup_ends_a_selection() throws IOException {
        wait.wakeup().run();
        assertThat(selector.select()).isZero();
    }

    @Test
    void its_key_is_made_once_and_names_it() {
        assertThat(registers()).isTrue();
        var key = pipe.source().keyFor(selector);
        assertThat(key.attachment()).isSameAs(wait);
        assertThat(key.interestOps()).isEqualTo(SelectionKey.OP_READ);
        assertThat(registers()).isTrue();
        assertThat(pipe.source().keyFor(selector)).isSameAs(key);
    }

    @Test
    void its_interest_is_followed() {
        registers();
        assertThat(registers(pipe, 0)).isTrue();
        assertThat(pipe.source().keyFor(selector).interestOps()).isZero();
        assertThat(registers()).isTrue();
        assertThat(pipe.source().keyFor(selector).interestOps()).isEqualTo(SelectionKey.OP_READ);
    }

    @Test
    void it_goes_to_another_channel() {
        registers();
        var first = pipe.source().keyFor(selector);
        assertThat(registers(other, SelectionKey.OP_READ)).isTrue();
        assertThat(other.source().keyFor(selector).attachment()).isSameAs(wait);
        assertThat(first.isValid()).isFalse();
    }

    /// As where its bell has been lost, and comes again.
    @Test
    void it_comes_back_from_a_channel_that_is_closed() throws IOException {
        registers();
        other.source().close();
        assertThat(registers(other, SelectionKey.OP_READ)).isFalse();
        selector.selectNow();
        assertThat(registers()).isTrue();
        assertThat(pipe.source().keyFor(selector).attachment()).isSameAs(wait);
    }

    @Test
    void where_there_is_no_channel_it_is_woken_otherwise() {
        assertThat(wait.registers(null, 0)).isTrue();
        assertThat(selector.keys()).isEmpty();
    }

    @Test
    void a_closed_channel_is_not_taken() throws IOException {
        pipe.source().close();
        assertThat(registers()).isFalse();
    }

    @Test
    void a_channel_that_closed_meanwhile_is_not_taken() throws IOException {
        registers();
        pipe.source().close();
        assertThat(registers(pipe, 0)).isFalse();
    }

    @Test
    void a_channel_that_blocks_is_not_taken() throws IOException {
        pipe.source().configureBlocking(true);
        assertThat(registers()).isFalse();
    }

    @Test
    void a_closed_selector_takes_nothing() throws IOException {
        selector.close();
        assertThat(registers()).isFalse();
    }

    @Test
    void after_it_has_left_the_channel_is_free() throws IOException {
        registers();
        var key = pipe.source().keyFor(selector);
        wait.leave();
        assertThat(key.isValid()).isFalse();
        assertThat(registers()).isFalse();
        assertThat(wait.registers(null, 0)).isFalse();
        selector.selectNow();
        assertThat(pipe.source().isRegistered()).isFalse();
    }

    /// The pipe, but that the waiter leaves before it hears of its key.
    private final class Slow extends SelectableChannel {
        private final Pipe.SourceChannel source = pipe.source();

        @Override
        public SelectionKey register(Selector by, int interest, Object attachment)
                throws ClosedChannelException {
            var key = source.register(by, interest, attachment);
            wait.leave();
            return key;
        }

        @Override
        public SelectorProvider provider() {
            return source.provider();
        }

        @Override
        public int validOps() {
            return source.validOps();
        }

        @Override
        public boolean isRegistered() {
            return source.isRegistered();
        }

        @Override
        public SelectionKey keyFor(Selector by) {
            return source.keyFor(by);
        }

        @Override
        public SelectableChannel configureBlocking(boolean block) throws IOException {
            return source.configureBlocking(block);
        }

        @Override
        public boolean isBlocking() {
            return source.isBlocking();
        }

        @Override
        public Object blockingLock() {
            return source.blockingLock();
        }

        @Override
        protected void implCloseChannel() {}
    }

    @Test
    void one_that_leaves_while_it_registers_has_no_key() {
        assertThat(wait.registers(new Slow(), SelectionKey.OP_READ)).isFalse();
        assertThat(pipe.source().keyFor(selector).isValid()).isFalse();
    }

    @Test
    void a_close_leaves_the_channel() {
        registers();
        wait.close();
        assertThat(pipe.source().keyFor(selector).isValid()).isFalse();
    }

    @Test
    void one_that_never_had_a_channel_leaves() {
        wait.leave();
        assertThat(registers()).isFalse();
        assertThat(pipe.source().isRegistered()).isFalse();
    }
}
