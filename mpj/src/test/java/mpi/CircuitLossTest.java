package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.mpj.device.Device;
import org.ibidem.mpj.device.DeviceFailed;
import org.ibidem.mpj.device.Envelope;
import org.ibidem.mpj.device.Incoming;
import org.ibidem.mpj.device.Outgoing;
import org.ibidem.mpj.device.Request;
import org.ibidem.mpj.device.circuit.CircuitDevice;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A process dies in each phase of a message: whoever waits for it is told, and nobody for ever.
@Tag("slow")
@Timeout(60)
class CircuitLossTest {
    /// Eager, and as much of it on its way as there are messages.
    private static final CircuitDevice.Limits ALL_EAGER =
            new CircuitDevice.Limits(1 << 20, 1L << 30);

    private static final CircuitDevice.Limits NONE_EAGER = new CircuitDevice.Limits(-1, 0);

    private record Zeros(long bytes) implements Outgoing {
        @Override
        public int type() {
            return 1;
        }

        @Override
        public long objects() {
            return 0;
        }

        @Override
        public void write(MemorySegment into, long at, int count) {
            into.asSlice(at, count).fill((byte) 0);
        }
    }

    private static final class Anything implements Incoming {
        volatile boolean begun;

        @Override
        public long begin(Envelope message) {
            begun = true;
            return message.size();
        }

        @Override
        public void read(MemorySegment from, long at, int count) {
            // it does not matter
        }

        @Override
        public void end() {
            // it does not matter
        }
    }

    private static void requireTold(Request request, int who) {
        assertThatThrownBy(request::await)
                .isInstanceOf(DeviceFailed.class)
                .hasMessage("process " + who + " is gone: it is dead");
    }

    @Test
    void a_finalize_to_which_one_does_not_come_says_what_is_missing() {
        try (var ranks = new OverCircuits(2, "auto", CircuitDevice.Limits.USUAL)) {
            var world = new World(ranks.device(0), false, (code, why) -> {});
            ranks.dies(1, 0);
            assertThatThrownBy(world::end)
                    .isInstanceOf(DeviceFailed.class)
                    .hasMessage(
                            "process 1 is gone: it is dead;"
                                    + " every process has to call MPI.Finalize before it ends");
        }
    }

    /// What found no room waits at its sender, who is told.
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void sends_that_wait_for_room_fail(String stack) {
        try (var ranks = new OverCircuits(2, stack, ALL_EAGER)) {
            var device = ranks.device(0);
            var all = new ArrayList<Request>();
            for (int i = 0; i < 200; i++) {
                all.add(device.isend(new Zeros(500_000), 1, 1, 0));
            }
            device.peek(all.toArray(Request[]::new)); // the first have left
            ranks.dies(1, 0);
            var last = all.getLast();
            requireTold(last, 1);
            assertThat(all).allMatch(Request::isDone);
            assertThatThrownBy(() -> device.isend(new Zeros(1), 1, 1, 0))
                    .isInstanceOf(DeviceFailed.class)
                    .hasMessage("process 1 is gone: it is dead");
        }
    }

    @Test
    void sends_that_nobody_asks_for_and_receives_that_nobody_meets_fail() {
        try (var ranks = new OverCircuits(2, "auto", NONE_EAGER)) {
            var device = ranks.device(0);
            var sent = device.isend(new Zeros(8), 1, 1, 0);
            var wanted = device.irecv(new Anything(), 1, 1, 0);
            var any = device.irecv(new Anything(), Device.ANY, 1, 0);
            while (ranks.device(1).iprobe(0, 1, 0) == null) {
                device.progress();
            }
            ranks.dies(1, 0);
            List.of(sent, wanted, any).forEach(request -> requireTold(request, 1));
            requireTold(device.irecv(new Anything(), 1, 1, 0), 1);
            requireTold(device.irecv(new Anything(), Device.ANY, 1, 0), 1);
            assertThatThrownBy(() -> device.iprobe(1, 1, 0))
                    .isInstanceOf(DeviceFailed.class)
                    .hasMessage("process 1 is gone: it is dead");
        }
    }

    /// The sender of a large message dies in the middle of it.
    @ParameterizedTest
    @Tag("slow")
    @ValueSource(booleans = {true, false})
    void a_receive_that_has_a_part_fails(boolean eager) {
        try (var ranks = new OverCircuits(2, "shm", eager ? ALL_EAGER : NONE_EAGER)) {
            var from = ranks.device(0);
            var to = ranks.device(1);
            int size = eager ? 1 << 20 : 64 << 20;
            var into = new Anything();
            var got = to.irecv(into, 0, 1, 0);
            for (int i = 0; i < 64; i++) {
                from.isend(new Zeros(size), 1, 1, 0);
            }
            while (!into.begun) {
                from.progress();
                to.progress();
            }
            var next = to.irecv(new Anything(), 0, 1, 0);
            ranks.dies(0, 1);
            requireTold(to.irecv(new Anything(), 0, 2, 0), 0);
            for (var request : List.of(got, next)) { // what had come whole may be had
                while (!request.isDone()) {
                    to.progress();
                }
            }
        }
    }

    /// What it gives back to one that has ended is nothing to what waits for others.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void what_one_had_sent_that_has_ended_may_still_be_received(boolean answersFirst) {
        var limits = new CircuitDevice.Limits(1 << 10, 1 << 10);
        try (var ranks = new OverCircuits(3, "auto", limits)) {
            var ended = ranks.device(0);
            var here = ranks.device(1);
            if (answersFirst) { // there is a link to it, and room in hand
                here.send(new Zeros(1), 0, 1, 0);
                ended.recv(new Anything(), 1, 1, 0);
            }
            ended.send(new Zeros(700), 1, 1, 0);
            while (here.iprobe(0, 1, 0) == null) {
                ended.progress();
            }
            var any = here.irecv(new Anything(), Device.ANY, 2, 0);
            ended.finish();
            awaitGone(here);
            here.recv(new Anything(), 0, 1, 0);
            assertThat(any.isDone()).isFalse();
            ranks.device(2).send(new Zeros(1), 1, 2, 0);
            assertThat(any.await().source()).isEqualTo(2);
        }
    }

    private static void awaitGone(Device device) {
        while (true) {
            try {
                device.isend(new Zeros(1), 0, 9, 0).test();
            } catch (DeviceFailed _) {
                return;
            }
        }
    }
}
