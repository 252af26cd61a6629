package org.ibidem.satin.trace;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.satin.trace.Event.Kind;
import org.ibidem.topology.NodeId;

/// What one worker did, as it is read from its [Track].
public final class Timeline {
    private final MemorySegment memory;
    private final long shift;

    /// @param shift from the process's `nanoTime` to nanoseconds since 1970
    Timeline(MemorySegment memory, long shift) {
        this.memory = memory;
        this.shift = shift;
    }

    /// The worker's.
    public String name() {
        var name = memory.asSlice(Track.NAME, Track.LONGEST_NAME).toArray(ValueLayout.JAVA_BYTE);
        return new String(name, StandardCharsets.UTF_8).replace("\0", "");
    }

    /// Whether there was a worker at all.
    public boolean isUsed() {
        return memory.get(ValueLayout.JAVA_LONG, Track.BEGAN) != 0;
    }

    /// When it began, in nanoseconds since 1970.
    public long began() {
        return memory.get(ValueLayout.JAVA_LONG, Track.BEGAN) + shift;
    }

    /// When it ended, as far as is known: where its process was killed, the end of what it did
    /// last.
    public long ended() {
        long ended = memory.get(ValueLayout.JAVA_LONG, Track.ENDED);
        if (ended != 0) {
            return ended + shift;
        }
        long last = began();
        for (var event : events()) {
            last = Math.max(last, Math.max(event.from(), event.to()));
        }
        return last;
    }

    private long count() {
        return memory.get(ValueLayout.JAVA_LONG, 0);
    }

    /// How many events were written over by later ones. Of its first one an end may have come
    /// meanwhile.
    public long dropped() {
        return Math.max(0, count() - kept());
    }

    /// The oldest may be half written over where the process was killed.
    private long kept() {
        long count = count();
        return count < Track.RECORDS ? count : Track.RECORDS - 1;
    }

    /// What it did, by when that began; of what was written over the rest.
    public List<Event> events() {
        var events = new ArrayList<Event>();
        for (long number = dropped(); number < count(); number++) {
            long at = Track.HEAD + number % Track.RECORDS * Track.RECORD;
            var kind = Kind.of(memory.get(ValueLayout.JAVA_INT, at));
            if (kind != null) {
                events.add(event(kind, at));
            }
        }
        return events;
    }

    private Event event(Kind kind, long at) {
        long to = number(at + Track.TO);
        return new Event(
                kind,
                number(at + Track.FROM) + shift,
                to == 0 ? 0 : to + shift,
                number(at + Track.FIRST),
                number(at + Track.SECOND),
                new NodeId(number(at + Track.WHO), number(at + Track.WHO + Long.BYTES)),
                memory.get(ValueLayout.JAVA_INT, at + Track.DONE) != 0);
    }

    private long number(long at) {
        return memory.get(ValueLayout.JAVA_LONG, at);
    }
}
