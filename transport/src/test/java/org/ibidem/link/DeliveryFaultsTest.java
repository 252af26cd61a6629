package org.ibidem.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.ibidem.Background;
import org.ibidem.buffer.BufferPool;
import org.ibidem.filter.checksum.ChecksumFilter;
import org.ibidem.filter.fragment.FragmentFilter;
import org.ibidem.filter.mend.MendFilter;
import org.ibidem.filter.whole.WholeFilter;
import org.ibidem.link.loopback.LoopbackDriver;
import org.ibidem.stack.Domains;
import org.ibidem.stack.Stack;
import org.ibidem.task.Tasks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a stack says may become of frames, before it is built and after.
class DeliveryFaultsTest {
    private static final DeliveryFaults LOSES = new DeliveryFaults(true, false, false);
    private static final DeliveryFaults DOUBLES = new DeliveryFaults(false, true, false);
    private static final Catalog CATALOG =
            Catalog.of(
                    List.of(new LoopbackDriver(), new Unsure()),
                    List.of(
                            new ChecksumFilter(),
                            new FragmentFilter(),
                            new MendFilter(),
                            new WholeFilter()));

    /// Options of the driver here.
    ///
    /// @param faithful whether it found a way that loses nothing
    public record Luck(boolean faithful) {
        public Luck() {
            this(false);
        }
    }

    /// A driver that may do anything to frames; where the path is faithful, that is known only when
    /// a link is made.
    record Unsure() implements Driver, Domain, Delivering {
        @Override
        public String name() {
            return "datagrams";
        }

        @Override
        public Class<Luck> options() {
            return Luck.class;
        }

        @Override
        public Domain domain(Tasks tasks, boolean open) {
            return this;
        }

        @Override
        public String place() {
            return "";
        }

        @Override
        public Reach reach(String there) {
            return new Reach.Yes(1);
        }

        @Override
        public DeliveryFaults delivery(DeliveryFaults below, Record options) {
            return DeliveryFaults.LOSSY;
        }

        @Override
        public Link open(Lower lower, Record options) {
            var box = new FrameBox();
            return new FilteredLink(
                    box.sink(),
                    box.source(),
                    box,
                    ((Luck) options).faithful() ? DeliveryFaults.FAITHFUL : DeliveryFaults.LOSSY);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "loopback | \"\"",
                "checksum > fragment > loopback | \"\"",
                "checksum(then=lose) > loopback | lose",
                "datagrams | lose, repeat or reorder",
                "fragment > checksum > datagrams | lose, repeat or reorder",
                "whole > datagrams | lose",
                "whole > loopback | \"\"",
                "mend > datagrams | \"\"",
                "mend > checksum(then=lose) > datagrams | \"\"",
                "whole > mend > datagrams | \"\"",
                "checksum(then=lose) > mend > datagrams | lose",
            })
    void a_stack_says_it_from_the_bottom_up(String text, String may) throws Exception {
        var stack = Stack.parse(text, CATALOG);
        assertThat(stack.delivery()).hasToString(may);
        assertThat(stack.delivery().isFaithful()).isEqualTo(may.isEmpty());
        assertThat(built(stack).delivery()).isEqualTo(stack.delivery());
    }

    @Test
    void a_link_may_turn_out_better_than_its_stack_says() throws Exception {
        var stack = Stack.parse("fragment(size=128) > datagrams(faithful=true)", CATALOG);
        assertThat(stack.delivery()).isEqualTo(DeliveryFaults.LOSSY);
        assertThat(built(stack).delivery()).isEqualTo(DeliveryFaults.FAITHFUL);
    }

    @Test
    void whole_is_left_out_where_the_link_below_is_faithful() throws Exception {
        assertThat(sum("whole > datagrams")).isEqualTo(sum("datagrams") - 8);
        assertThat(sum("whole > mend > datagrams")).isEqualTo(sum("datagrams"));
        assertThat(sum("whole > datagrams(faithful=true)")).isEqualTo(sum("datagrams"));
        assertThat(sum("whole > loopback")).isEqualTo(sum("loopback"));
    }

    /// Bytes of payload in a frame, from which headers show.
    private static int sum(String text) throws Exception {
        return built(Stack.parse(text, CATALOG)).sink().largest();
    }

    private static Domains domains(Lower lower) {
        return new Domains(CATALOG, lower.tasks(), false);
    }

    private static FrameLink built(Stack stack) throws Exception {
        var lowers = TestLower.pair();
        var pool = new BufferPool();
        var other = Background.call(() -> stack.build(domains(lowers[1]), lowers[1], pool));
        try (var one = stack.build(domains(lowers[0]), lowers[0], pool);
                var _ = other.get()) {
            return one;
        } finally {
            for (var lower : lowers) {
                lower.socket().close();
            }
        }
    }

    @Test
    void what_may_happen_anywhere_on_the_way_may_happen() {
        var both = LOSES.and(DOUBLES);
        assertThat(both)
                .isEqualTo(new DeliveryFaults(true, true, false))
                .hasToString("lose or repeat");
        assertThat(both.and(DeliveryFaults.FAITHFUL)).isEqualTo(both);
        assertThat(both.and(DeliveryFaults.LOSSY)).isEqualTo(DeliveryFaults.LOSSY);
        assertThat(both.covers(LOSES)).isTrue();
        assertThat(LOSES.covers(both)).isFalse();
        assertThat(DeliveryFaults.FAITHFUL.covers(LOSES)).isFalse();
        assertThat(LOSES.covers(DeliveryFaults.FAITHFUL)).isTrue();
    }
}
