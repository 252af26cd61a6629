package org.ibidem.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.Background;
import org.ibidem.arbitration.Threads;
import org.ibidem.link.Catalog;
import org.ibidem.link.DatagramPath;
import org.ibidem.link.Path;
import org.ibidem.link.StreamPath;
import org.ibidem.stack.Stack;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What comes for a link that is being made.
@Timeout(60)
class AwaitedPathsTest {
    private static final long FOREVER = Long.MAX_VALUE / 2;

    private final Threads threads = new Threads("test");
    private final LinkMatcher.AwaitedPaths awaited =
            new LinkMatcher.AwaitedPaths(
                    new DataLink(
                            "key", new NodeId(2, 2), Stack.parse("tcp", Catalog.found()), false),
                    threads);
    private final List<Object> closed = new ArrayList<>();

    @AfterEach
    void close() {
        threads.close();
    }

    @SuppressWarnings("ReferenceEquality") // of a stand-in, which has no other
    private <P extends Path> P path(Class<P> kind) {
        return kind.cast(
                Proxy.newProxyInstance(
                        kind.getClassLoader(),
                        new Class<?>[] {kind},
                        (self, method, arguments) ->
                                switch (method.getName()) {
                                    case "equals" -> self == arguments[0];
                                    case "hashCode" -> System.identityHashCode(self);
                                    case "toString" -> "path";
                                    default -> closed.add(self) ? null : self;
                                }));
    }

    @Test
    void each_kind_is_taken_in_the_order_in_which_it_came() throws Exception {
        var first = path(StreamPath.class);
        var second = path(StreamPath.class);
        var added = path(StreamPath.class);
        var datagrams = path(DatagramPath.class);
        assertThat(awaited.arrived(added, true)).isTrue();
        assertThat(awaited.arrived(first, false)).isTrue();
        assertThat(awaited.arrived(datagrams, false)).isTrue();
        assertThat(awaited.arrived(second, false)).isTrue();
        assertThat(awaited.datagrams(FOREVER)).isEqualTo(datagrams);
        assertThat(awaited.stream(FOREVER)).isEqualTo(first);
        assertThat(awaited.stream(FOREVER)).isEqualTo(second);
        assertThat(awaited.added()).isEqualTo(added);
        assertThat(awaited.added()).isNull();
        assertThat(awaited.stream(1)).as("none comes in time").isNull();
        assertThat(closed).isEmpty();
    }

    @Test
    void one_that_comes_later_is_waited_for() throws Exception {
        var stream = path(StreamPath.class);
        var taking = Background.call(() -> awaited.stream(FOREVER));
        assertThat(awaited.arrived(stream, false)).isTrue();
        assertThat(taking.get()).isEqualTo(stream);
    }

    @Test
    void who_waits_is_told_that_none_will_come() throws Exception {
        var taking = Background.call(() -> awaited.stream(FOREVER));
        var others = Background.call(() -> awaited.datagrams(FOREVER));
        awaited.close();
        assertThat(taking.get()).isNull();
        assertThat(others.get()).isNull();
        assertThat(awaited.isOver()).isTrue();
        assertThat(awaited.stream(FOREVER)).as("nor who comes late").isNull();
    }

    @Test
    void what_nobody_takes_is_closed() {
        var left =
                List.of(path(StreamPath.class), path(StreamPath.class), path(DatagramPath.class));
        awaited.arrived(left.get(0), false);
        awaited.arrived(left.get(1), true);
        awaited.arrived(left.get(2), false);
        assertThat(awaited.isOver()).isFalse();
        awaited.close();
        assertThat(closed).containsExactlyInAnyOrderElementsOf(left);
        assertThat(awaited.arrived(path(StreamPath.class), false)).isFalse();
        assertThat(awaited.added()).isNull();
    }

    @Test
    void no_more_are_kept_than_a_link_can_want() {
        for (int i = 0; i < 64; i++) {
            assertThat(awaited.arrived(path(StreamPath.class), false)).isTrue();
        }
        assertThat(awaited.arrived(path(StreamPath.class), false)).isFalse();
        assertThat(awaited.arrived(path(DatagramPath.class), false)).isTrue();
    }
}
