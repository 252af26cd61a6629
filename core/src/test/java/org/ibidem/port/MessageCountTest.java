package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;

import org.ibidem.buffer.Tally;
import org.junit.jupiter.api.Test;

class MessageCountTest {
    private final MessageCount count = new MessageCount();

    private void is(long messages, long bytes) {
        assertThat(count.messages()).isEqualTo(messages);
        assertThat(count.bytes()).isEqualTo(bytes);
    }

    @Test
    void each_message_counts_once_as_connections_come_and_go() {
        var first = Tally.unseen();
        var second = Tally.unseen();
        is(0, 0);
        count.countFor(first);
        assertThat(count.count(10)).isTrue();
        is(1, 10);
        count.countFor(null); // several
        is(1, 10);
        assertThat(count.count(20)).isFalse();
        first.count(20); // as for each of them
        second.count(20);
        is(2, 30);
        count.countFor(second); // which has counted one of these itself
        is(2, 30);
        assertThat(count.count(5)).isTrue();
        is(3, 35);
        count.countFor(null); // nobody is left
        is(3, 35);
        assertThat(first.get(Tally.What.MESSAGES)).isEqualTo(2);
        assertThat(second.get(Tally.What.BYTES)).isEqualTo(25);
    }
}
