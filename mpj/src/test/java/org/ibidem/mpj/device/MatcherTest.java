package org.ibidem.mpj.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.mpj.device.Device.ANY;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class MatcherTest {
    private final Matcher<Item, Item> matcher = new Matcher<>();

    private static final class Item extends Matcher.Entry {
        private final int source;
        private final int tag;
        private final int context;

        Item(int source, int tag, int context) {
            this.source = source;
            this.tag = tag;
            this.context = context;
        }

        boolean wants(Item message) {
            return context == message.context
                    && (source == ANY || source == message.source)
                    && (tag == ANY || tag == message.tag);
        }
    }

    private @Nullable Item post(Item receive) {
        return matcher.post(receive, receive.source, receive.tag, receive.context);
    }

    private @Nullable Item arrive(Item message) {
        return matcher.arrive(message, message.source, message.tag, message.context);
    }

    @Test
    void a_message_goes_to_the_receive_posted_first_of_those_that_fit() {
        Item tag = new Item(ANY, 7, 0);
        Item exact = new Item(3, 7, 0);
        Item source = new Item(3, ANY, 0);
        Item whatever = new Item(ANY, ANY, 0);
        for (Item receive : List.of(tag, exact, source, whatever)) {
            assertThat(post(receive)).isNull();
        }
        assertThat(matcher.receives()).containsExactly(tag, exact, source, whatever);
        assertThat(arrive(new Item(3, 8, 0))).isSameAs(source);
        assertThat(arrive(new Item(3, 7, 0))).isSameAs(tag);
        assertThat(arrive(new Item(3, 7, 0))).isSameAs(exact);
        assertThat(arrive(new Item(3, 7, 1))).as("of another context").isNull();
        assertThat(arrive(new Item(3, 7, 0))).isSameAs(whatever);
        assertThat(matcher.posted()).isZero();
    }

    @Test
    void a_receive_takes_the_message_that_came_first_of_those_that_fit() {
        Item first = new Item(1, 5, 0);
        Item second = new Item(2, 5, 0);
        Item third = new Item(1, 6, 0);
        for (Item message : List.of(first, second, third)) {
            assertThat(arrive(message)).isNull();
        }
        assertThat(matcher.find(ANY, 6, 0)).isSameAs(third);
        assertThat(post(new Item(2, ANY, 0))).isSameAs(second);
        assertThat(post(new Item(ANY, 6, 0))).isSameAs(third);
        assertThat(post(new Item(ANY, ANY, 1))).as("of another context").isNull();
        assertThat(post(new Item(ANY, ANY, 0))).isSameAs(first);
        assertThat(matcher.unexpected()).isZero();
    }

    @Test
    void what_was_cancelled_or_taken_is_not_found() {
        Item receive = new Item(1, 1, 0);
        post(receive);
        assertThat(matcher.cancel(receive)).isTrue();
        assertThat(matcher.cancel(receive)).isFalse();
        Item message = new Item(1, 1, 0);
        assertThat(arrive(message)).isNull();
        assertThat(matcher.take(message)).isTrue();
        assertThat(matcher.take(message)).isFalse();
        assertThat(post(receive)).isNull();
        assertThat(arrive(message)).isSameAs(receive);
    }

    /// Looking through all that wait would take minutes.
    @Test
    @Tag("slow")
    @Timeout(value = 15, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void a_hundred_and_fifty_thousand_wait_and_each_is_found_at_once() {
        int many = 150_000;
        int found = 0;
        for (int tag = 0; tag < many; tag++) {
            post(new Item(0, tag, 0));
        }
        for (int tag = many - 1; tag >= 0; tag--) {
            found += arrive(new Item(0, tag, 0)) != null ? 1 : 0;
        }
        for (int tag = 0; tag < many; tag++) {
            arrive(new Item(tag % 3, tag, 0));
        }
        for (int tag = many - 1; tag >= 0; tag--) {
            found += post(new Item(tag % 2 == 0 ? ANY : tag % 3, tag, 0)) != null ? 1 : 0;
        }
        assertThat(found).isEqualTo(2 * many);
    }

    @Test
    void ever_new_tags_do_not_fill_it() {
        Lanes lanes = new Lanes();
        Lanes.Place place = new Item(0, 0, 0);
        for (int tag = 0; tag < 100_000; tag++) {
            lanes.add(place, 0, 0, tag);
            place.leave();
        }
        assertThat(lanes.size()).isLessThanOrEqualTo(64);
    }

    @Test
    void matches_as_looking_through_two_lists_does() {
        for (long seed = 0; seed < 100; seed++) {
            new Model(seed).run();
        }
    }

    private static final class Model {
        private final Random random;
        private final String seed;
        private final Matcher<Item, Item> matcher = new Matcher<>();
        private final List<Item> receives = new ArrayList<>();
        private final List<Item> messages = new ArrayList<>();

        Model(long seed) {
            this.random = new Random(seed);
            this.seed = "seed " + seed;
        }

        void run() {
            int tags = 1 + random.nextInt(40);
            for (int step = 0; step < 400; step++) {
                int tag = random.nextInt(tags);
                int source = random.nextInt(4);
                int context = random.nextInt(2);
                switch (random.nextInt(5)) {
                    case 0, 1 -> {
                        post(
                                new Item(
                                        random.nextInt(4) == 0 ? ANY : source,
                                        random.nextInt(4) == 0 ? ANY : tag,
                                        context));
                    }
                    case 2, 3 -> arrive(new Item(source, tag, context));
                    default -> cancel();
                }
                assertThat(matcher.posted()).as(seed).isEqualTo(receives.size());
                assertThat(matcher.unexpected()).as(seed).isEqualTo(messages.size());
            }
            assertThat(matcher.receives()).as(seed).isEqualTo(receives);
        }

        private void post(Item receive) {
            Item expected = messages.stream().filter(receive::wants).findFirst().orElse(null);
            assertThat(matcher.find(receive.source, receive.tag, receive.context))
                    .as(seed)
                    .isSameAs(expected);
            assertThat(matcher.post(receive, receive.source, receive.tag, receive.context))
                    .as(seed)
                    .isSameAs(expected);
            if (expected == null) {
                receives.add(receive);
            } else {
                messages.remove(expected);
            }
        }

        private void arrive(Item message) {
            Item expected =
                    receives.stream()
                            .filter(receive -> receive.wants(message))
                            .findFirst()
                            .orElse(null);
            assertThat(matcher.arrive(message, message.source, message.tag, message.context))
                    .as(seed)
                    .isSameAs(expected);
            if (expected == null) {
                messages.add(message);
            } else {
                receives.remove(expected);
            }
        }

        private void cancel() {
            if (!receives.isEmpty()) {
                assertThat(matcher.cancel(receives.remove(random.nextInt(receives.size()))))
                        .as(seed)
                        .isTrue();
            }
        }
    }
}
