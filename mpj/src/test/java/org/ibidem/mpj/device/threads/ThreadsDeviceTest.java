package org.ibidem.mpj.device.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.ibidem.mpj.data.Kind;
import org.ibidem.mpj.data.Part;
import org.ibidem.mpj.data.Shape;
import org.ibidem.mpj.device.Device;
import org.ibidem.mpj.device.DeviceFailed;
import org.ibidem.mpj.device.Request;
import org.junit.jupiter.api.Test;

/// What the device over threads does with many messages, and at its end.
class ThreadsDeviceTest {
    private static final int MANY = 10_000;

    private final Threads threads = new Threads(2, 1 << 10, 1 << 15);
    private final Device one = threads.device(0);
    private final Device other = threads.device(1);

    private static Part ints(int... values) {
        return Part.of(values, 0, values.length, Shape.of(Kind.INT, 1));
    }

    @Test
    void ten_thousand_receives_and_sends_are_outstanding_at_once() {
        int[] values = new int[MANY];
        Request[] receives =
                IntStream.range(0, MANY)
                        .mapToObj(tag ->
                                other.irecv(
                                        Part.of(values, tag, 1, Shape.of(Kind.INT, 1)).incoming(),
                                        0,
                                        tag,
                                        0))
                        .toArray(Request[]::new);
        for (int tag = MANY - 1; tag >= 0; tag--) {
            one.send(ints(tag).outgoing(), 1, tag, 0);
        }
        for (int tag = 0; tag < MANY; tag++) {
            assertThat(receives[tag].await().tag()).isEqualTo(tag);
            assertThat(values[tag]).isEqualTo(tag);
        }
    }

    /// As many as there is room for are kept, and the others wait where they are.
    @Test
    void a_flood_of_messages_nobody_asked_for_fills_no_memory() {
        Request[] sends =
                IntStream.range(0, MANY)
                        .mapToObj(tag -> one.isend(ints(tag, 0, 0, 0).outgoing(), 1, tag, 0))
                        .toArray(Request[]::new);
        int room = (1 << 15) / 16;
        for (int tag = 0; tag < MANY; tag++) {
            assertThat(sends[tag].isDone()).as("%d", tag).isEqualTo(tag < room);
        }
        int[] value = new int[4];
        for (int tag = MANY - 1; tag >= 0; tag--) {
            other.recv(ints(value).incoming(), Device.ANY, tag, 0);
            assertThat(value[0]).isEqualTo(tag);
            sends[tag].await();
        }
        assertThat(one.isend(ints(1, 2, 3, 4).outgoing(), 1, 0, 0).isDone())
                .as("there is room again")
                .isTrue();
    }

    @Test
    void what_waits_when_a_process_fails_fails_with_its_reason() {
        Request receive = other.irecv(ints(0).incoming(), 0, 0, 0);
        threads.fail("rank 0 is gone");
        assertThatThrownBy(receive::await)
                .isInstanceOf(DeviceFailed.class)
                .hasMessage("rank 0 is gone");
        assertThatThrownBy(() -> other.probe(0, 0, 0)).isInstanceOf(DeviceFailed.class);
        assertThatThrownBy(() -> one.isend(ints(0).outgoing(), 1, 0, 0))
                .isInstanceOf(DeviceFailed.class);
    }

    @Test
    void nothing_is_begun_after_the_end() {
        one.finish();
        assertThatThrownBy(() -> one.irecv(ints(0).incoming(), 1, 0, 0))
                .hasMessage("the device has been finished");
    }
}
