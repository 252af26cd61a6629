package org.ibidem.lab.bench.peers;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;
import org.ibidem.arbitration.Threads;
import org.ibidem.buffer.Frame;
import org.ibidem.lab.bench.Copies;
import org.ibidem.lab.bench.End;
import org.ibidem.lab.bench.Payload;
import org.ibidem.link.FrameLink;
import org.ibidem.link.FrameSink;
import org.ibidem.link.FrameSource;
import org.ibidem.wait.Waitable;

/// One end of a link, spinning.
final class SeamEnd implements End {
    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfDouble DOUBLE =
            ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int LEAST = 64;
    private static final int FIVE = 32;

    private final FrameLink link;
    private final FrameSink sink;
    private final FrameSource source;
    private final boolean asksTheKernel;
    private final Threads tasks;
    private final Frame room;
    private final Frame lent;

    SeamEnd(FrameLink link, Threads tasks) {
        this(link, tasks, new Frame(), new Frame());
    }

    private SeamEnd(FrameLink link, Threads tasks, Frame room, Frame lent) {
        this.link = link;
        this.sink = link.sink();
        this.source = link.source();
        this.asksTheKernel = Waitable.of(source).traits().announces();
        this.tasks = tasks;
        this.room = room;
        this.lent = lent;
    }

    @Override
    public End alone() {
        return Copies.of(MethodHandles.lookup(), this, link, tasks, room, lent);
    }

    @Override
    public void send(Payload payload) {
        switch (payload) {
            case Payload.Word word -> {
                long at = claim();
                room.memory.set(LONG, at, word.value);
                room.position = at + Long.BYTES;
                commit();
            }
            case Payload.Five five -> {
                long at = claim();
                room.memory.set(INT, at, five.a);
                room.memory.set(LONG, at + 4, five.b);
                room.memory.set(LONG, at + 12, five.c);
                room.memory.set(INT, at + 20, five.d);
                room.memory.set(LONG, at + 24, five.e);
                room.position = at + FIVE;
                commit();
            }
            case Payload.Bytes bytes -> send(bytes.data, bytes.data.length, JAVA_BYTE);
            case Payload.Ints ints -> send(ints.data, ints.data.length, INT);
            case Payload.Doubles doubles -> send(doubles.data, doubles.data.length, DOUBLE);
            case Payload.Tree _ -> throw new IllegalArgumentException("frames carry no objects");
        }
    }

    private void send(Object array, int length, ValueLayout element) {
        int size = (int) element.byteSize();
        for (int done = 0; done < length; ) {
            long at = claim();
            int part = (int) Math.min(length - done, room.room() / size);
            MemorySegment.copy(array, done, room.memory, element, at, part);
            room.position = at + (long) part * size;
            done += part;
            if (done < length) {
                sink.commit(room, Frame.MORE);
            }
        }
        commit();
    }

    private long claim() {
        if (room.room() < LEAST) {
            while (!sink.claim(room, LEAST)) {
                sink.push();
                pause();
            }
        }
        return room.position;
    }

    private void commit() {
        if (!sink.commit(room, 0)) {
            flush();
        }
    }

    @Override
    public void flush() {
        while (!sink.push()) {
            pause();
        }
    }

    /// Where a look is a system call, that is pause enough.
    private void pause() {
        if (!asksTheKernel) {
            Thread.onSpinWait();
        }
    }

    @Override
    public void receive(Payload payload) {
        switch (payload) {
            case Payload.Word word -> {
                long at = poll();
                word.value = lent.memory.get(LONG, at);
            }
            case Payload.Five five -> {
                long at = poll();
                five.a = lent.memory.get(INT, at);
                five.b = lent.memory.get(LONG, at + 4);
                five.c = lent.memory.get(LONG, at + 12);
                five.d = lent.memory.get(INT, at + 20);
                five.e = lent.memory.get(LONG, at + 24);
            }
            case Payload.Bytes bytes -> receive(bytes.data, bytes.data.length, JAVA_BYTE);
            case Payload.Ints ints -> receive(ints.data, ints.data.length, INT);
            case Payload.Doubles doubles -> receive(doubles.data, doubles.data.length, DOUBLE);
            case Payload.Tree _ -> throw new IllegalArgumentException("frames carry no objects");
        }
    }

    private void receive(Object array, int length, ValueLayout element) {
        for (int done = 0; done < length; ) {
            long at = poll();
            int part = (int) Math.min(length - done, lent.room() / element.byteSize());
            MemorySegment.copy(lent.memory, element, at, array, done, part);
            done += part;
        }
    }

    private long poll() {
        while (!source.poll(lent)) {
            pause();
        }
        return lent.position;
    }

    @Override
    public void close() {
        link.close();
        tasks.close();
    }
}
