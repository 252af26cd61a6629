package org.ibidem.circuit;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.buffer.Frame;

/// What has come over a circuit: a number in each frame.
final class Mailbox implements CircuitReceiver {
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    final List<List<Long>> from = new ArrayList<>();

    /// Frames are kept.
    volatile boolean keeps;

    final ConcurrentLinkedQueue<Integer> closed = new ConcurrentLinkedQueue<>();
    final ConcurrentLinkedQueue<String> lost = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();

    Mailbox(int size) {
        for (int i = 0; i < size; i++) {
            from.add(Collections.synchronizedList(new ArrayList<>()));
        }
    }

    @Override
    public boolean frame(int member, Frame frame) {
        from.get(member).add(frame.memory.get(LONG, frame.position));
        count.incrementAndGet();
        return !keeps;
    }

    int count() {
        return count.get();
    }

    @Override
    public void closed(int to, String why) {
        closed.add(to);
    }

    @Override
    public void lost(int member, boolean inOrder, String why) {
        lost.add(member + (inOrder ? " in order: " : ": ") + why);
    }
}
