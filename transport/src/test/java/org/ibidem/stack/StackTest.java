package org.ibidem.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.List;
import org.ibidem.Background;
import org.ibidem.buffer.BufferPool;
import org.ibidem.buffer.Frame;
import org.ibidem.config.NotationException;
import org.ibidem.filter.fragment.FragmentFilter;
import org.ibidem.link.ByteStream;
import org.ibidem.link.Catalog;
import org.ibidem.link.FilteredLink;
import org.ibidem.link.FrameFilter;
import org.ibidem.link.FrameLink;
import org.ibidem.link.FrameSink;
import org.ibidem.link.FrameSource;
import org.ibidem.link.Link;
import org.ibidem.link.Lower;
import org.ibidem.link.SilentLink;
import org.ibidem.link.StreamFilter;
import org.ibidem.link.TestLower;
import org.ibidem.link.loopback.LoopbackDriver;
import org.ibidem.link.tcp.TcpDriver;
import org.ibidem.wait.Waitable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StackTest {
    private static final Catalog CATALOG =
            Catalog.of(
                    List.of(new LoopbackDriver(), new TcpDriver()),
                    List.of(
                            new FragmentFilter(),
                            new Stamp("one"),
                            new Stamp("two"),
                            new Plain(),
                            new Either()));

    @AutoClose private FrameLink here = new SilentLink();
    @AutoClose private FrameLink there = new SilentLink();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "loopback | loopback",
                "fragment > loopback | fragment > loopback",
                "fragment(size=8192)>loopback | fragment > loopback",
                "fragment(4096) > loopback(ring=1024k) | fragment(size=4k) > loopback(ring=1M)",
            })
    void prints_canonically(String text, String printed) {
        assertThat(Stack.parse(text, CATALOG)).hasToString(printed);
        assertThat(Stack.parse(printed, CATALOG))
                .isEqualTo(Stack.parse(text, CATALOG))
                .hasSameHashCodeAs(Stack.parse(text, CATALOG))
                .hasToString(printed);
    }

    @Test
    void stacks_that_differ_are_not_equal() {
        assertThat(Stack.parse("fragment > tcp", CATALOG))
                .isNotEqualTo(Stack.parse("fragment(size=4k) > tcp", CATALOG))
                .isNotEqualTo(Stack.parse("tcp", CATALOG));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "frogment > tcp | 1 | there is no driver or filter 'frogment'; known: either, fragment, loopback, one, plain, tcp, two. Did you mean 'fragment'?",
                "fragment > tpc | 12 | there is no driver or filter 'tpc'",
                "fragment(syze=8k) > tcp | 10 | there is no option of fragment 'syze'; known: size. Did you mean 'size'?",
                "fragment(size=12) > tcp | 10 | fragment: size is 128 to 1G bytes, not 12",
                "fragment | 1 | write 'fragment > NETWORK' with one of: loopback, tcp",
                "tcp > loopback | 1 | tcp is a network driver: nothing can stand below it",
                "one(3) > tcp | 5 | one has no options",
                "multi(shm, tcp) | 1 | there is no driver or filter 'multi'",
                "fragment(loopback, tcp) | 20 | no filter here stands over several lowers",
                "fragment(one > tcp) > tcp | 10 | fragment takes no stack in its parentheses",
            })
    void says_where_and_why_a_stack_cannot_be(String text, int column, String reason) {
        assertThatThrownBy(() -> Stack.parse(text, CATALOG))
                .isInstanceOf(NotationException.class)
                .hasMessageContaining("column " + column + " of '" + text + "': ")
                .hasMessageContaining(reason);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "loopback",
                "tcp",
                "one > loopback",
                "two > one > loopback",
                "one > fragment > two > tcp",
                "plain > loopback",
                "one > plain > two > plain > loopback",
                "plain > one > plain > tcp",
            })
    void builds_what_was_written(String text) throws Exception {
        open(text);
        for (int i = 1; i <= 3; i++) {
            send(here, i);
            assertThat(receive(there)).isEqualTo(i);
            send(there, -i);
            assertThat(receive(here)).isEqualTo(-i);
        }
    }

    @Test
    void gives_every_filter_its_own_place_in_the_combined_headers() throws Exception {
        open("one > two > loopback");
        var room = new Frame();
        assertThat(here.sink().claim(room, 64)).isTrue();
        assertThat(room.position - room.start).isEqualTo(2 * Stamp.HEADER);
        room.memory.set(ValueLayout.JAVA_LONG_UNALIGNED, room.position, 5L);
        room.position += 8;
        here.sink().commit(room, 0);
        var stamps = (StampedSource) ((FilteredLink) there).source();
        assertThat(receive(there)).isEqualTo(5);
        assertThat(stamps.seen).isEqualTo("one".hashCode());
        assertThat(((StampedSource) stamps.lower).seen).isEqualTo("two".hashCode());
    }

    @Test
    void leaves_out_a_filter_that_has_nothing_to_do() throws Exception {
        open("loopback");
        var bare = here.getClass();
        int largest = here.sink().largest();
        open("fragment(size=" + largest + ") > loopback");
        assertThat(here).isInstanceOf(bare);
        open("fragment(size=" + (largest - 1) + ") > loopback");
        assertThat(here).isNotInstanceOf(bare);
        open("fragment(size=1M) > tcp");
        assertThat(here).isInstanceOf(FramesOverStream.class);
    }

    @Test
    void a_filter_left_out_costs_no_adapter() throws Exception {
        open("plain > fragment(size=1M) > tcp");
        assertThat(here).isInstanceOf(FramesOverStream.class);
        assertThat(Plain.lower(here)).isNotInstanceOf(StreamOverFrames.class);
        open("plain > loopback");
        assertThat(Plain.lower(here)).isInstanceOf(StreamOverFrames.class);
    }

    @Test
    void refuses_headers_that_leave_no_room_for_messages() {
        assertThatThrownBy(() -> open("one > ".repeat(15) + "loopback(ring=4k)"))
                .isInstanceOf(NotationException.class)
                .hasMessageContaining("of header and 64 of payload, but a frame below has");
    }

    /// A filter over frames and over byte streams.
    private static final class Either implements FrameFilter, StreamFilter {
        @Override
        public String name() {
            return "either";
        }

        @Override
        public Class<None> options() {
            return None.class;
        }

        @Override
        public int header(Record options) {
            return 0;
        }

        @Override
        public FrameLink over(FrameLink below, int headerOffset, Record options, Lower lower) {
            return new FilteredLink(below.sink(), below.source(), below);
        }

        @Override
        public ByteStream over(ByteStream below, Record options, Lower lower) {
            return below;
        }
    }

    @Test
    void a_filter_that_is_both_is_put_over_what_there_is() throws Exception {
        open("either > tcp");
        assertThat(here).isInstanceOf(FramesOverStream.class);
        open("either > loopback");
        assertThat(here).isInstanceOf(FilteredLink.class);
        open("either > one > tcp");
        assertThat(here).isInstanceOf(FilteredLink.class);
        send(here, 7);
        assertThat(receive(there)).isEqualTo(7);
    }

    private void open(String text) throws Exception {
        here.close();
        there.close();
        var stack = Stack.parse(text, CATALOG);
        var pool = new BufferPool();
        var lowers = TestLower.pair();
        var other = Background.call(() -> stack.build(domains(lowers[1]), lowers[1], pool));
        here = stack.build(domains(lowers[0]), lowers[0], pool);
        there = other.get();
    }

    private static Domains domains(Lower lower) {
        return new Domains(CATALOG, lower.tasks(), false);
    }

    private static void send(FrameLink link, long value) {
        var room = new Frame();
        assertThat(link.sink().claim(room, 64)).isTrue();
        room.memory.set(ValueLayout.JAVA_LONG_UNALIGNED, room.position, value);
        room.position += 8;
        assertThat(link.sink().commit(room, 0) || link.sink().push()).isTrue();
    }

    private static long receive(FrameLink link) {
        var lent = new Frame();
        while (!link.source().poll(lent)) {
            Thread.onSpinWait();
        }
        assertThat(lent.room()).isEqualTo(8);
        return lent.memory.get(ValueLayout.JAVA_LONG_UNALIGNED, lent.position);
    }

    /// Options of the filters here.
    public record None() {}

    /// A filter with a header: its name's hash.
    record Stamp(String name) implements FrameFilter {
        static final int HEADER = 16;

        @Override
        public Class<None> options() {
            return None.class;
        }

        @Override
        public int header(Record options) {
            return HEADER;
        }

        @Override
        public FrameLink over(FrameLink lower, int offset, Record options, Lower peer) {
            return new FilteredLink(
                    new StampedSink(lower.sink(), offset, name.hashCode()),
                    new StampedSource(lower.source()),
                    lower);
        }
    }

    record StampedSink(FrameSink lower, int offset, int stamp) implements FrameSink {
        @Override
        public boolean claim(Frame room, int atLeast) {
            boolean granted = lower.claim(room, atLeast + Stamp.HEADER);
            room.position += granted ? Stamp.HEADER : 0;
            return granted;
        }

        @Override
        public boolean commit(Frame room, int flags) {
            room.memory.set(ValueLayout.JAVA_INT_UNALIGNED, room.start + offset, stamp);
            boolean sent = lower.commit(room, flags);
            room.empty();
            return sent;
        }

        @Override
        public boolean push() {
            return lower.push();
        }

        @Override
        public int largest() {
            return lower.largest() - Stamp.HEADER;
        }
    }

    static final class StampedSource implements FrameSource {
        private final FrameSource lower;
        private int seen;

        StampedSource(FrameSource lower) {
            this.lower = lower;
        }

        @Override
        public boolean poll(Frame lent) {
            if (!lower.poll(lent)) {
                return false;
            }
            seen = lent.memory.get(ValueLayout.JAVA_INT_UNALIGNED, lent.position);
            lent.position += Stamp.HEADER;
            return true;
        }

        @Override
        public void release() {
            lower.release();
        }
    }

    /// A stream filter that changes nothing.
    record Plain() implements StreamFilter {
        @Override
        public String name() {
            return "plain";
        }

        @Override
        public Class<None> options() {
            return None.class;
        }

        @Override
        public ByteStream over(ByteStream lower, Record options, Lower peer) {
            return new PlainStream(lower);
        }

        static Link lower(FrameLink link) throws ReflectiveOperationException {
            var stream = FramesOverStream.class.getDeclaredField("stream");
            stream.setAccessible(true);
            return ((PlainStream) stream.get(link)).lower();
        }
    }

    record PlainStream(ByteStream lower) implements ByteStream {
        @Override
        public int write(ByteBuffer from) throws IOException {
            return lower.write(from);
        }

        @Override
        public int read(ByteBuffer into) throws IOException {
            return lower.read(into);
        }

        @Override
        public Waitable readable() {
            return lower.readable();
        }

        @Override
        public Waitable writable() {
            return lower.writable();
        }

        @Override
        public void close() {
            lower.close();
        }
    }
}
