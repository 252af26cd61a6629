package org.ibidem.satin.trace;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.ibidem.satin.trace.Event.Kind;
import org.ibidem.topology.NodeId;

/// What one worker did last, as it writes it: a ring of records, the oldest of which are written
/// over. All of them are of the worker's own thread. In the machine's byte order:
///
/// ```
/// head    0         8         16        24        32
///        | count   | began   | ended   | 0       | name, UTF-8, 32 bytes, then 0 |
/// record  0         4        8         16        24        32        40     56
///        | kind u32 | done   | from    | to      | first   | second  | who  | 0      |
/// ```
///
/// Times are those of [System#nanoTime] in its process.
public final class Track {
    /// Records that are kept.
    static final int RECORDS = 1 << 14;

    static final int RECORD = 64;
    static final int HEAD = 64;
    static final int BEGAN = 8;
    static final int ENDED = 16;
    static final int NAME = 32;
    static final int LONGEST_NAME = 32;
    static final int DONE = 4;
    static final int FROM = 8;
    static final int TO = 16;
    static final int FIRST = 24;
    static final int SECOND = 32;
    static final int WHO = 40;

    /// Of a track in a file.
    static final long BYTES = HEAD + (long) RECORDS * RECORD;

    /// Steps of one search that are so near to each other are one record.
    private static final long NEAR_NANOS = 20_000;

    private static final long NONE = -1;
    private static final NodeId NOBODY = new NodeId(0, 0);
    private static final VarHandle COUNT = ValueLayout.JAVA_LONG.varHandle();

    private final MemorySegment memory;
    private long count;

    /// The search that may go on, as the last record.
    private long search = NONE;

    Track(MemorySegment memory) {
        this.memory = memory;
    }

    /// The worker begins. One after another may have the same track.
    public void begin(String name) {
        var bytes = name.getBytes(StandardCharsets.UTF_8);
        bytes = Arrays.copyOf(bytes, Math.min(bytes.length, LONGEST_NAME));
        MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, NAME, bytes.length);
        if (memory.get(ValueLayout.JAVA_LONG, BEGAN) == 0) {
            memory.set(ValueLayout.JAVA_LONG, BEGAN, System.nanoTime());
        }
        memory.set(ValueLayout.JAVA_LONG, ENDED, 0);
    }

    /// The worker ends.
    public void end() {
        memory.set(ValueLayout.JAVA_LONG, ENDED, System.nanoTime());
    }

    /// A stolen job begins.
    ///
    /// @param stamp of the job at its victim
    /// @param place of the job in the tree of all
    /// @return its number, for its end
    public long job(long stamp, long place, NodeId victim) {
        return add(Kind.JOB, System.nanoTime(), 0, stamp, place, victim);
    }

    /// A stolen job has ended.
    ///
    /// @param done whether it was done; else it was given back, or nobody waited for it any more
    public void jobEnded(long number, boolean done) {
        search = NONE;
        if (count - number < RECORDS) {
            long at = at(number);
            memory.set(ValueLayout.JAVA_INT, at + DONE, done ? 1 : 0);
            memory.set(ValueLayout.JAVA_LONG, at + TO, System.nanoTime());
        }
    }

    /// It has asked for a job, whatever the answer was.
    ///
    /// @param from when it began, of [System#nanoTime]
    public void asked(long from, long to) {
        sought(from, to, 0);
    }

    /// It has rested, as there was no job, or what its job needs had not come.
    public void rested(long from, long to) {
        sought(from, to, to - from);
    }

    private void sought(long from, long to, long rested) {
        if (search != NONE) {
            long at = at(search);
            if (from - memory.get(ValueLayout.JAVA_LONG, at + TO) < NEAR_NANOS) {
                long before = memory.get(ValueLayout.JAVA_LONG, at + FIRST);
                memory.set(ValueLayout.JAVA_LONG, at + FIRST, before + rested);
                memory.set(ValueLayout.JAVA_LONG, at + TO, to);
                return;
            }
        }
        search = add(Kind.SEEK, from, to, rested, 0, NOBODY);
    }

    /// It has written to a shared object.
    public void wrote(long from, long to) {
        add(Kind.WRITE, from, to, 1, 0, NOBODY);
    }

    /// It has done what others have written.
    ///
    /// @param writes how many of them
    public void read(long from, long to, long writes) {
        add(Kind.READ, from, to, writes, 0, NOBODY);
    }

    private long add(Kind kind, long from, long to, long first, long second, NodeId who) {
        long number = count++;
        long at = at(number);
        memory.set(ValueLayout.JAVA_INT, at, kind.code());
        memory.set(ValueLayout.JAVA_INT, at + DONE, 0);
        memory.set(ValueLayout.JAVA_LONG, at + FROM, from);
        memory.set(ValueLayout.JAVA_LONG, at + TO, to);
        memory.set(ValueLayout.JAVA_LONG, at + FIRST, first);
        memory.set(ValueLayout.JAVA_LONG, at + SECOND, second);
        memory.set(ValueLayout.JAVA_LONG, at + WHO, who.high());
        memory.set(ValueLayout.JAVA_LONG, at + WHO + Long.BYTES, who.low());
        COUNT.setRelease(memory, 0L, count); // Last: a process that is killed here has not had it.
        search = NONE;
        return number;
    }

    private static long at(long number) {
        return HEAD + number % RECORDS * RECORD;
    }
}
