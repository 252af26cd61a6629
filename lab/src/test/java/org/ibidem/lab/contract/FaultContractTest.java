package org.ibidem.lab.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.ibidem.buffer.Frame;
import org.ibidem.lab.fault.Unfaithful;
import org.ibidem.link.DeliveryFaults;
import org.ibidem.link.LinkBroken;
import org.ibidem.stack.Stack;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/// What every fault filter promises instead of order and wholeness, over every network driver
/// found.
@ParameterizedClass(name = "{0}")
@MethodSource("stacks")
@Tag("slow")
class FaultContractTest {
    private static final int SENT = 5_000;
    private static final int LARGEST = 2_000;

    @Parameter String text;

    private final Numbered frames = new Numbered(1, LARGEST);

    /// A frame as it arrived.
    ///
    /// @param number what it says it is
    /// @param differing bits unlike those sent at this place in the sequence; -1: another size
    record Arrived(int number, int differing) {}

    static Stream<String> stacks() {
        return Pair.unfaithful();
    }

    @Test
    void does_what_it_says_and_nothing_else() throws Exception {
        var arrived = arrived();
        var numbers = arrived.stream().map(Arrived::number).toList();
        switch (way()) {
            case LOSES -> {
                assertThat(numbers).isSorted().doesNotHaveDuplicates();
                assertThat(SENT - numbers.size()).as("frames lost").isBetween(400, 600);
            }
            case REPEATS -> {
                assertThat(numbers).isSorted();
                assertThat(numbers.stream().distinct()).containsExactlyElementsOf(all());
                assertThat(numbers.size() - SENT).as("frames repeated").isBetween(400, 600);
                assertThat(numbers.stream().filter(n -> Collections.frequency(numbers, n) > 2))
                        .isEmpty();
            }
            case REORDERS -> {
                assertThat(numbers).hasSize(SENT).isNotEqualTo(all());
                assertThat(swappedBack(numbers)).isEqualTo(all());
            }
            case ALTERS -> {
                assertThat(arrived).hasSize(SENT);
                assertThat(arrived).allMatch(a -> a.differing() == 0 || a.differing() == 1);
                assertThat(arrived.stream().filter(a -> a.differing() == 1))
                        .hasSizeBetween(400, 600);
            }
            case CUTS -> {
                assertThat(numbers)
                        .hasSizeLessThan(SENT)
                        .isEqualTo(all().subList(0, numbers.size()));
                assertThat(numbers.stream().mapToLong(frames::size).sum()).isLessThan(1 << 20);
            }
        }
    }

    /// Before it is built and after, and nothing more where `whole` stands over it.
    @Test
    void says_in_which_way_it_is_not_faithful() throws Exception {
        var may =
                switch (way()) {
                    case LOSES -> new DeliveryFaults(true, false, false);
                    case REPEATS -> new DeliveryFaults(false, true, false);
                    case REORDERS -> new DeliveryFaults(false, false, true);
                    case ALTERS, CUTS -> DeliveryFaults.FAITHFUL;
                };
        assertThat(Stack.parse(text, Pair.CATALOG).delivery()).isEqualTo(may);
        try (var pair = Pair.open(text);
                var whole = Pair.open("whole > " + text)) {
            assertThat(pair.one().delivery()).isEqualTo(may);
            assertThat(pair.other().delivery()).isEqualTo(may);
            assertThat(whole.one().delivery())
                    .isEqualTo(new DeliveryFaults(!may.isFaithful(), false, false));
        }
    }

    @Test
    void does_the_same_each_time() throws Exception {
        if (way() == Unfaithful.Way.REORDERS) {
            return; // whether the next frame comes in time is not for the seed to say
        }
        var once = arrived();
        var again = arrived();
        if (way() == Unfaithful.Way.CUTS) {
            int both = Math.min(once.size(), again.size());
            assertThat(once.subList(0, both)).isEqualTo(again.subList(0, both));
        } else {
            assertThat(once).isEqualTo(again);
        }
    }

    /// Everything that arrives of what is sent before the link is closed or broken.
    private List<Arrived> arrived() throws Exception {
        try (var pair = Pair.open(text)) {
            var writer =
                    Pair.start(() -> {
                        try {
                            frames.write(pair.one().sink(), 0, SENT);
                            return false;
                        } catch (LinkBroken e) {
                            return true;
                        } finally {
                            pair.one().close();
                        }
                    });
            var arrived = read(pair);
            assertThat(Pair.get(writer))
                    .as("the link broke under the writer")
                    .isEqualTo(way() == Unfaithful.Way.CUTS);
            return arrived;
        }
    }

    private List<Arrived> read(Pair pair) {
        var arrived = new ArrayList<Arrived>();
        var lent = new Frame();
        try {
            while (true) {
                Waiting.looking(() -> pair.other().source().poll(lent));
                int number = Numbered.number(lent);
                int place = way() == Unfaithful.Way.ALTERS ? arrived.size() : number;
                arrived.add(new Arrived(number, frames.differing(lent, place)));
            }
        } catch (LinkBroken _) {
            return arrived;
        }
    }

    private Unfaithful.Way way() {
        var name = text.substring(0, text.indexOf(' '));
        var filter = Pair.CATALOG.filter(name).orElseThrow();
        return filter.getClass().getAnnotation(Unfaithful.class).value();
    }

    private static List<Integer> all() {
        return IntStream.range(0, SENT).boxed().toList();
    }

    private static List<Integer> swappedBack(List<Integer> numbers) {
        var back = new ArrayList<>(numbers);
        for (int i = 0; i + 1 < back.size(); i++) {
            if (back.get(i) == back.get(i + 1) + 1) {
                Collections.swap(back, i, i + 1);
                i++;
            }
        }
        return back;
    }
}
