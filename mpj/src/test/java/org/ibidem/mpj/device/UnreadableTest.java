package org.ibidem.mpj.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A message that cannot be read where it lies, as the program has freed its memory, say: nobody
/// waits for it for ever.
@Timeout(40)
class UnreadableTest {
    private static final int CONTEXT = 7;
    private static final int LONG = 100_000;

    /// A message of which so many bytes can be read.
    private static final class Freed implements Outgoing {
        private final long bytes;
        private long readable;

        Freed(long bytes, long readable) {
            this.bytes = bytes;
            this.readable = readable;
        }

        @Override
        public int type() {
            return 3;
        }

        @Override
        public long bytes() {
            return bytes;
        }

        @Override
        public long objects() {
            return 0;
        }

        @Override
        public void write(MemorySegment into, long at, int count) {
            readable -= count;
            if (readable < 0) {
                throw new IllegalStateException("its memory is freed");
            }
        }
    }

    private static void failsWithReason(Request request) {
        assertThatThrownBy(request::await)
                .isInstanceOf(DeviceFailed.class)
                .hasMessageContaining("its memory is freed");
    }

    @ParameterizedTest
    @EnumSource(
            value = Fleet.Over.class,
            names = {"SHM", "TCP"})
    void a_large_one_fails_at_both_ends(Fleet.Over over) {
        for (int readable : List.of(0, LONG / 2)) {
            try (var fleet = over.open(2).connected(CONTEXT)) {
                var received = fleet.device(1).irecv(new Taken(LONG), 0, 1, CONTEXT);
                var sent = fleet.device(0).isend(new Freed(LONG, readable), 1, 1, CONTEXT);
                fleet.until(() -> sent.isDone() && received.isDone());
                failsWithReason(sent);
                assertThatThrownBy(received::await)
                        .isInstanceOf(DeviceFailed.class)
                        .hasMessageContaining("process 0 is gone");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Fleet.Over.class,
            names = {"SHM", "TCP"})
    void of_a_short_one_nothing_leaves_and_others_follow(Fleet.Over over) {
        try (var fleet = over.open(2).connected(CONTEXT)) {
            var zero = fleet.device(0);
            for (int i = 0; i < 100; i++) { // more than there is credit for
                failsWithReason(zero.isend(new Freed(Fleet.EAGER, 10), 1, 1, CONTEXT));
                failsWithReason(zero.issend(new Freed(Fleet.EAGER, 10), 1, 1, CONTEXT));
                assertThatThrownBy(() -> zero.sendsNow(new Freed(10, 1), 1, 1, CONTEXT))
                        .isInstanceOf(IllegalStateException.class);
            }
            var into = new Taken(Fleet.EAGER);
            var received = fleet.device(1).irecv(into, 0, Device.ANY, CONTEXT);
            assertThat(fleet.end(zero.isend(new Pattern(5, Fleet.EAGER), 1, 1, CONTEXT)).size())
                    .isEqualTo(Fleet.EAGER);
            fleet.end(received);
            into.requireOf(5, Fleet.EAGER);
        }
    }

    @ParameterizedTest
    @CsvSource({"10, true", "10, false", "100000, true", "100000, false"})
    void one_to_this_process_itself_fails_at_both_ends(int size, boolean waitedFor) {
        try (var fleet = Fleet.Over.SHM.open(1)) {
            var zero = fleet.device(0);
            var before = waitedFor ? zero.irecv(new Taken(size), 0, 1, CONTEXT) : null;
            var sent = zero.isend(new Freed(size, 1), 0, 1, CONTEXT);
            if (size > Fleet.EAGER || waitedFor) {
                var received = before == null ? zero.irecv(new Taken(size), 0, 1, CONTEXT) : before;
                fleet.until(received::isDone);
                failsWithReason(received);
            }
            fleet.until(sent::isDone);
            failsWithReason(sent);
            assertThat(zero.iprobe(0, 1, CONTEXT)).isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {10, LONG})
    void one_to_another_thread_ends_at_both(int size) {
        try (var fleet = Fleet.Over.THREADS.open(2)) {
            var received = fleet.device(1).irecv(new Taken(size), 0, 1, CONTEXT);
            var sent = fleet.device(0).isend(new Freed(size, 1), 1, 1, CONTEXT);
            fleet.until(() -> sent.isDone() && received.isDone());
            failsWithReason(received);
        }
    }
}
