package org.ibidem.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.ibidem.buffer.BufferPool;
import org.ibidem.filter.fragment.FragmentFilter;
import org.ibidem.link.ByteStream;
import org.ibidem.link.Catalog;
import org.ibidem.link.Filter;
import org.ibidem.link.FrameFilter;
import org.ibidem.link.FrameLink;
import org.ibidem.link.Lower;
import org.ibidem.link.StreamFilter;
import org.ibidem.link.TestLower;
import org.ibidem.link.loopback.LoopbackDriver;
import org.ibidem.link.tcp.TcpDriver;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A filter cannot be put over what is built so far.
class StackFailsTest {
    private static final List<Throwable> REASONS =
            List.of(
                    new IOException("the other end did not come"),
                    new IllegalStateException("a fault of its own"),
                    new OutOfMemoryError("too large"));

    /// No options.
    public record None() {}

    record FailingFrames(Throwable why) implements FrameFilter {
        @Override
        public String name() {
            return "failing";
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
        public FrameLink over(FrameLink below, int offset, Record options, Lower lower)
                throws IOException {
            throw thrown(why);
        }
    }

    record FailingStream(Throwable why) implements StreamFilter {
        @Override
        public String name() {
            return "failing";
        }

        @Override
        public Class<None> options() {
            return None.class;
        }

        @Override
        public ByteStream over(ByteStream below, Record options, Lower lower) throws IOException {
            throw thrown(why);
        }
    }

    private static IOException thrown(Throwable why) {
        return switch (why) {
            case IOException e -> e;
            case RuntimeException e -> throw e;
            default -> throw (Error) why;
        };
    }

    static Stream<Filter> filters() {
        return REASONS.stream()
                .flatMap(why -> Stream.of(new FailingFrames(why), new FailingStream(why)));
    }

    @ParameterizedTest
    @MethodSource("filters")
    void what_was_built_so_far_is_closed_whatever_is_thrown(Filter failing) throws Exception {
        var catalog =
                Catalog.of(
                        List.of(new LoopbackDriver(), new TcpDriver()),
                        List.of(new FragmentFilter(), failing));
        var stack = Stack.parse("fragment > failing > fragment(size=1k) > tcp", catalog);
        var lowers = TestLower.pair();
        try (var mine = lowers[0].socket();
                var _ = lowers[1].socket();
                var domains = new Domains(catalog, lowers[0].tasks(), false)) {
            assertThatThrownBy(() -> stack.build(domains, lowers[0], new BufferPool()))
                    .isIn(REASONS);
            assertThat(mine.isOpen()).isFalse();
        }
    }
}
