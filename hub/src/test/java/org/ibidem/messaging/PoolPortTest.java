package org.ibidem.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.eventually;
import static org.ibidem.messaging.Members.LIMIT;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.ibidem.Background;
import org.ibidem.port.Origin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// To all of a pool, and from all of it.
@Timeout(60)
class PoolPortTest {
    private static final Subject<String> WORDS = Subject.of("words", String.class);

    private final Members members = new Members(3);

    @AfterEach
    void leave() {
        members.close();
    }

    private static Set<String> hears(PoolPort<String> port, int count) {
        var got = new TreeSet<String>();
        for (int i = 0; i < count; i++) {
            var word = port.receive(LIMIT);
            assertThat(word).as("heard so far: %s", got).isNotNull();
            got.add(word);
        }
        return got;
    }

    @Test
    void each_says_to_all_and_hears_from_all() {
        members.get(0).awaitMembers(3, LIMIT);
        members.get(1).awaitMembers(3, LIMIT);
        members.get(2).awaitMembers(3, LIMIT);
        try (var one = WORDS.poolPort(members.get(0));
                var two = WORDS.poolPort(members.get(1));
                var three = WORDS.poolPort(members.get(2))) {
            assertThat(one.send("one")).isEqualTo(2);
            assertThat(two.send("two")).isEqualTo(2);
            assertThat(three.send("three")).isEqualTo(2);
            assertThat(hears(one, 2)).containsExactly("three", "two");
            assertThat(hears(two, 2)).containsExactly("one", "three");
            assertThat(hears(three, 2)).containsExactly("one", "two");
        }
    }

    @Test
    void whoever_joins_and_leaves_is_followed() {
        members.get(0).awaitMembers(3, LIMIT);
        try (var one = WORDS.poolPort(members.get(0));
                var _ = WORDS.poolPort(members.get(1));
                var _ = WORDS.poolPort(members.get(2))) {
            assertThat(one.send("first")).isEqualTo(2);
            var late = members.join();
            try (var four = WORDS.poolPort(late)) {
                members.get(0).awaitMembers(4, LIMIT);
                assertThat(one.send("second")).isEqualTo(3);
                assertThat(hears(four, 1)).containsExactly("second");
                assertThat(four.send("hello")).isEqualTo(3);
                assertThat(hears(one, 1)).containsExactly("hello");
            }
            late.close();
            members.get(1).close();
            eventually("both have left", () -> members.get(0).members().size() == 2);
            assertThat(one.send("third")).isEqualTo(1);
            assertThat(one.send("fourth", LIMIT))
                    .containsExactly(Map.entry(members.get(2).id(), Offered.SENT));
        }
    }

    @Test
    void one_that_opens_it_again_hears_again() {
        members.get(0).awaitMembers(3, LIMIT);
        try (var one = WORDS.poolPort(members.get(0));
                var _ = WORDS.poolPort(members.get(1))) {
            WORDS.poolPort(members.get(2)).close();
            try (var again = WORDS.poolPort(members.get(2))) {
                eventually(
                        "it is connected again",
                        () -> {
                            one.send("word");
                            return again.receiver().poll() != null;
                        });
            }
        }
    }

    /// It opens its port after three of the four seconds, and does not read.
    @Test
    @Tag("slow")
    void a_send_has_one_limit_for_the_connection_and_for_the_object() {
        var bytes = Subject.of("bytes", byte[].class);
        var never = new CountDownLatch(1);
        try (var two = new Members(2)) {
            two.get(0).awaitMembers(2, LIMIT);
            try (var one = bytes.poolPort(two.get(0))) {
                var late =
                        Background.call(() -> {
                            assertThat(never.await(3, TimeUnit.SECONDS)).isFalse();
                            return bytes.poolPort(two.get(1));
                        });
                long begin = System.nanoTime();
                assertThat(one.send(new byte[10_000_000], Duration.ofSeconds(4)))
                        .containsExactly(Map.entry(two.get(1).id(), Offered.FULL));
                assertThat(Duration.ofNanos(System.nanoTime() - begin))
                        .isLessThan(Duration.ofMillis(5500));
                late.join().close();
            }
        }
    }

    @Test
    void method_references_receive() throws Exception {
        var got = new LinkedBlockingQueue<String>();
        members.get(0).awaitMembers(3, LIMIT);
        try (var one = WORDS.poolPort(members.get(0), got::add);
                var other = WORDS.poolPort(members.get(1), got::add);
                var _ = WORDS.poolPort(members.get(2))) {
            one.send("word");
            assertThat(got.poll(LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo("word");
            other.send("back");
            assertThat(got.poll(LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo("back");
        }
        try (var in = WORDS.receiver(members.get(1), got::add);
                var out = WORDS.sender(members.get(0), members.get(1).id())) {
            out.send("again");
            assertThat(got.poll(LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo("again");
            assertThat(in).isNotNull();
        }
    }

    @Test
    void a_handler_gets_each_with_whom_it_came_from() throws Exception {
        var got = new LinkedBlockingQueue<Origin>();
        members.get(0).awaitMembers(3, LIMIT);
        try (var one = WORDS.poolPort(members.get(0));
                var _ = WORDS.originPoolPort(members.get(1), (_, from) -> got.add(from));
                var _ = WORDS.originPoolPort(members.get(2), (_, from) -> got.add(from))) {
            one.send("word");
            for (int i = 0; i < 2; i++) {
                assertThat(got.poll(LIMIT.toSeconds(), TimeUnit.SECONDS).node())
                        .isEqualTo(members.get(0).id());
            }
        }
    }
}
