package org.ibidem.lab.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import org.ibidem.buffer.Frame;
import org.ibidem.link.FrameSink;
import org.ibidem.link.FrameSource;

/// A sequence of frames that follows from a seed: sizes, flags and every byte. One side writes it,
/// the other checks it.
final class Numbered {
    /// Bytes in front of every frame: its number.
    static final int NUMBER = Integer.BYTES;

    /// Byte `i` of frame `n` is byte `i + 31 n` of this, whose bytes come again after 256. A block
    /// at a time they are written and compared, which takes a tenth of the time.
    private static final MemorySegment BYTES = MemorySegment.ofArray(new byte[256 + (1 << 20)]);

    static {
        for (int i = 0; i < BYTES.byteSize(); i++) {
            BYTES.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 7));
        }
    }

    private final long seed;
    private final int largest;

    /// Frames of 4 to `largest` bytes, most of them small.
    Numbered(long seed, int largest) {
        this.seed = seed;
        this.largest = largest;
    }

    int size(int number) {
        var random = random(number);
        int most = random.nextInt(8) == 0 ? largest : Math.min(largest, 200);
        return NUMBER + random.nextInt(most - NUMBER + 1);
    }

    int flags(int number) {
        return random(~number).nextInt(3) == 0 ? Frame.MORE : 0;
    }

    private SplittableRandom random(int number) {
        return new SplittableRandom(seed * 0x9E3779B97F4A7C15L + number);
    }

    /// What frame `number` holds from byte `from` on.
    private static MemorySegment bytes(int number, int from, int size) {
        return BYTES.asSlice((number * 31 + from) & 0xFF, size);
    }

    /// Writes a frame's payload at the room's position.
    void fill(Frame room, int number) {
        int size = size(number);
        room.memory.set(ValueLayout.JAVA_INT_UNALIGNED, room.position, number);
        room.memory
                .asSlice(room.position + NUMBER, size - NUMBER)
                .copyFrom(bytes(number, NUMBER, size - NUMBER));
        room.position += size;
    }

    /// The number a lent frame carries.
    static int number(Frame lent) {
        return lent.memory.get(ValueLayout.JAVA_INT_UNALIGNED, lent.position);
    }

    /// Bits that differ from what was written as `number`; -1 when the size is another.
    int differing(Frame lent, int number) {
        if (lent.room() != size(number)) {
            return -1;
        }
        int rest = size(number) - NUMBER;
        var written = bytes(number, NUMBER, rest);
        if (number(lent) == number
                && lent.memory.asSlice(lent.position + NUMBER, rest).mismatch(written) < 0) {
            return 0;
        }
        int bits = Integer.bitCount(number(lent) ^ number);
        for (int i = 0; i < rest; i++) {
            int read = lent.memory.get(ValueLayout.JAVA_BYTE, lent.position + NUMBER + i);
            bits += Integer.bitCount((read ^ written.get(ValueLayout.JAVA_BYTE, i)) & 0xFF);
        }
        return bits;
    }

    /// Checks that the lent frame is this one.
    void check(Frame lent, int number) {
        assertThat(number(lent)).isEqualTo(number);
        assertThat(lent.room()).as("size of frame %d", number).isEqualTo(size(number));
        assertThat(differing(lent, number)).as("wrong bits in frame %d", number).isZero();
        assertThat(lent.flags).as("flags of frame %d", number).isEqualTo(flags(number));
        offHeap(lent.memory);
    }

    static void offHeap(MemorySegment memory) {
        assertThat(memory.isNative()).as("memory of a frame is off-heap").isTrue();
    }

    /// Claims room for a frame, unless the last commit left enough.
    boolean claimed(FrameSink sink, Frame room, int number) {
        int size = size(number);
        boolean left = (number & 1) == 0 && room.room() >= size;
        return left || sink.claim(room, size);
    }

    /// Writes frames `from` to `to` - 1, looking again while there is no room, and leaves nothing
    /// behind.
    void write(FrameSink sink, int from, int to) {
        var room = new Frame();
        for (int n = from; n < to; n++) {
            int number = n;
            Waiting.looking(() -> claimed(sink, room, number));
            offHeap(room.memory);
            fill(room, n);
            sink.commit(room, flags(n));
        }
        Waiting.looking(sink::push);
    }

    /// Reads and checks frames `from` to `to` - 1, looking again while there is none.
    void read(FrameSource source, int from, int to) {
        var lent = new Frame();
        for (int n = from; n < to; n++) {
            Waiting.looking(() -> source.poll(lent));
            check(lent, n);
        }
        source.release();
    }

    /// As [#write], asleep while there is no room. Before every 50th frame it waits until the
    /// reader sleeps.
    void writeAsleep(FrameSink sink, int count, Waiting reader) throws IOException {
        var room = new Frame();
        try (var waiting = new Waiting(sink)) {
            for (int n = 0; n < count; n++) {
                if (n % 50 == 49) {
                    waiting.asleep(sink::push);
                    Waiting.looking(reader::sleeping);
                }
                writeAsleep(waiting, sink, room, n);
            }
            waiting.asleep(sink::push);
        }
    }

    /// Writes one frame, asleep while there is no room.
    void writeAsleep(Waiting waiting, FrameSink sink, Frame room, int number) throws IOException {
        waiting.asleep(() -> claimed(sink, room, number));
        fill(room, number);
        if (!sink.commit(room, flags(number)) && flags(number) == 0) {
            waiting.asleep(sink::push);
        }
    }

    /// As [#read], asleep while there is no frame.
    void readAsleep(FrameSource source, int count, Waiting waiting) throws IOException {
        var lent = new Frame();
        for (int n = 0; n < count; n++) {
            waiting.asleep(() -> source.poll(lent));
            check(lent, n);
        }
        source.release();
    }
}
