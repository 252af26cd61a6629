package org.ibidem.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.ibidem.stack.Stack;
import org.ibidem.station.NodeRuntime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The numbers of channels, when they come round.
@Timeout(60)
class ChannelNumbersTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final TwoNodes nodes = new TwoNodes();
    private final NodeRuntime alice = nodes.alice;
    private final NodeRuntime bob = nodes.bob;

    @AfterEach
    void close() {
        nodes.close();
    }

    private OutChannel open() {
        var stack = Stack.parse("tcp", alice.catalog());
        return alice.channels().open(bob.id(), "port", stack, new byte[0], LIMIT);
    }

    @Test
    void channels_in_use_keep_theirs() {
        bob.channels().serve("port", (_, _, _, _) -> new Acceptor.Yes(new TwoNodes.Taken()));
        var numbers = bob.channels().requests().numbers;
        var first = open();
        var second = open();
        numbers.goOnFrom(Integer.MAX_VALUE);
        assertThat(open().id()).isEqualTo(Integer.MAX_VALUE);
        assertThat(open().id()).isPositive().isNotIn(first.id(), second.id());
    }
}
