package org.ibidem.lab.bench.peers;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import org.ibidem.buffer.Mapping;
import org.ibidem.lab.bench.Contestant;
import org.ibidem.lab.bench.Copies;
import org.ibidem.lab.bench.End;
import org.ibidem.lab.bench.Loop;
import org.ibidem.lab.bench.Measure;
import org.ibidem.lab.bench.Meeting;
import org.ibidem.lab.bench.Payload;
import org.ibidem.lab.bench.Player;

/// Rings in shared memory without any API over them: both ends know size and kind of the next
/// message. The floor for everything within one machine; the same memory traffic as a real message
/// needs, and nothing else.
public record BareRing() implements Contestant {
    private static final int MEDIUM = 1024;
    private static final int CHUNK = 32 << 10;
    private static final int STAMP = 8;
    private static final int LINE = 64;

    @Override
    public String name() {
        return "ring-bare";
    }

    @Override
    public Waiting waiting() {
        return Waiting.SPIN;
    }

    @Override
    public String about() {
        return "shared-memory slots of fixed sizes, no API: 64 B, 1 KiB, chunks of 32 KiB";
    }

    @Override
    public boolean plays(Measure measure) {
        return !(measure.payload().get() instanceof Payload.Tree);
    }

    @Override
    public Player open(Meeting meeting) throws IOException {
        long one = Direction.bytes();
        try (var file =
                FileChannel.open(
                        meeting.folder().resolve("ring-bare"),
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.CREATE)) {
            var memory = Mapping.of(file, 2 * one);
            var there = new Direction(memory, 0);
            var back = new Direction(memory, one);
            return new Loop(
                    meeting.leads()
                            ? new Ring(memory, there, back)
                            : new Ring(memory, back, there));
        }
    }

    /// The rings of one direction, one for each size.
    private static final class Direction {
        private final Slots small;
        private final Slots medium;
        private final Slots chunks;

        private Direction(MemorySegment memory, long base) {
            small = new Slots(memory, base, LINE - STAMP, STAMP, 1024);
            medium = new Slots(memory, base + smallBytes(), MEDIUM, STAMP, 256);
            chunks = new Slots(memory, base + smallBytes() + mediumBytes(), CHUNK, LINE, 16);
        }

        private static long smallBytes() {
            return Slots.bytes(LINE - STAMP, STAMP, 1024);
        }

        private static long mediumBytes() {
            return Slots.bytes(MEDIUM, STAMP, 256);
        }

        private static long bytes() {
            return smallBytes() + mediumBytes() + Slots.bytes(CHUNK, LINE, 16);
        }
    }

    /// No record: those cannot be copied.
    private static final class Ring implements End {
        private final MemorySegment memory;
        private final Direction out;
        private final Direction in;

        private Ring(MemorySegment memory, Direction out, Direction in) {
            this.memory = memory;
            this.out = out;
            this.in = in;
        }

        @Override
        public void send(Payload payload) {
            switch (payload) {
                case Payload.Word word -> {
                    memory.set(JAVA_LONG_UNALIGNED, out.small.claim(), word.value);
                    out.small.publish();
                }
                case Payload.Five five -> {
                    write(five, out.small.claim());
                    out.small.publish();
                }
                case Payload.Bytes bytes -> sendArray(bytes.data, bytes.data.length, JAVA_BYTE);
                case Payload.Ints ints -> sendArray(ints.data, ints.data.length, JAVA_INT);
                case Payload.Doubles doubles ->
                        sendArray(doubles.data, doubles.data.length, JAVA_DOUBLE);
                case Payload.Tree _ ->
                        throw new IllegalArgumentException("a bare ring carries no objects");
            }
        }

        private void write(Payload.Five five, long at) {
            memory.set(JAVA_INT_UNALIGNED, at, five.a);
            memory.set(JAVA_LONG_UNALIGNED, at + 4, five.b);
            memory.set(JAVA_LONG_UNALIGNED, at + 12, five.c);
            memory.set(JAVA_INT_UNALIGNED, at + 20, five.d);
            memory.set(JAVA_LONG_UNALIGNED, at + 24, five.e);
        }

        private void sendArray(Object array, int length, ValueLayout element) {
            int most = CHUNK / (int) element.byteSize();
            var slots = length * element.byteSize() <= MEDIUM ? out.medium : out.chunks;
            for (int done = 0; done < length; ) {
                int part = Math.min(most, length - done);
                MemorySegment.copy(array, done, memory, element, slots.claim(), part);
                slots.publish();
                done += part;
            }
        }

        @Override
        public void receive(Payload payload) {
            switch (payload) {
                case Payload.Word word -> {
                    word.value = memory.get(JAVA_LONG_UNALIGNED, in.small.await());
                    in.small.giveBack();
                }
                case Payload.Five five -> {
                    read(five, in.small.await());
                    in.small.giveBack();
                }
                case Payload.Bytes bytes -> receiveArray(bytes.data, bytes.data.length, JAVA_BYTE);
                case Payload.Ints ints -> receiveArray(ints.data, ints.data.length, JAVA_INT);
                case Payload.Doubles doubles ->
                        receiveArray(doubles.data, doubles.data.length, JAVA_DOUBLE);
                case Payload.Tree _ ->
                        throw new IllegalArgumentException("a bare ring carries no objects");
            }
        }

        private void read(Payload.Five five, long at) {
            five.a = memory.get(JAVA_INT_UNALIGNED, at);
            five.b = memory.get(JAVA_LONG_UNALIGNED, at + 4);
            five.c = memory.get(JAVA_LONG_UNALIGNED, at + 12);
            five.d = memory.get(JAVA_INT_UNALIGNED, at + 20);
            five.e = memory.get(JAVA_LONG_UNALIGNED, at + 24);
        }

        private void receiveArray(Object array, int length, ValueLayout element) {
            int most = CHUNK / (int) element.byteSize();
            var slots = length * element.byteSize() <= MEDIUM ? in.medium : in.chunks;
            for (int done = 0; done < length; ) {
                int part = Math.min(most, length - done);
                MemorySegment.copy(memory, element, slots.await(), array, done, part);
                slots.giveBack();
                done += part;
            }
        }

        @Override
        public End alone() {
            return Copies.of(MethodHandles.lookup(), this, memory, out, in);
        }

        @Override
        public void close() {}
    }
}
