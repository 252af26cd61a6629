package org.ibidem.mpj.device.circuit;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.ibidem.mpj.device.DeviceFailed;
import org.ibidem.mpj.device.Envelope;
import org.ibidem.mpj.device.Matcher;
import org.jspecify.annotations.Nullable;

/// A message that nobody has asked for yet: its bytes, or only that it is there. There may be
/// millions, so it has no object beside it that says what it is.
final class Arrived extends Matcher.Entry implements Target {
    private byte kind;
    private byte type;
    private int to;
    private int request;
    private long bytes;
    private long objects;

    /// Of one to this process itself that waits at its sender's.
    private @Nullable Sending own;

    private @Nullable MemorySegment memory;
    private int come;

    /// Who takes it as soon as all has come.
    private @Nullable Receiving receiver;

    void is(Envelope of, int how, int itsRequest) {
        kind = (byte) how;
        type = (byte) of.type();
        to = of.to();
        request = itsRequest;
        bytes = of.bytes();
        objects = of.objects();
    }

    void isOwn(Sending sending) {
        own = sending;
    }

    @Nullable Sending own() {
        return own;
    }

    int kind() {
        return kind;
    }

    int request() {
        return request;
    }

    /// It is kept here.
    void keep(MemorySegment here) {
        memory = here;
    }

    @Nullable MemorySegment memory() {
        return memory;
    }

    /// What is known of it. Needs that it waits, or has waited.
    @Override
    public Envelope message() {
        return new Envelope(
                source(), to, tag(), context(), type & 0xFF, bytes, objects, false, false);
    }

    @Override
    public long size() {
        return bytes + objects;
    }

    @Override
    public void take(MemorySegment from, long at, int count) {
        MemorySegment.copy(from, at, Objects.requireNonNull(memory), come, count);
        come += count;
    }

    @Override
    public long left() {
        return size() - come;
    }

    void takenBy(Receiving by) {
        receiver = by;
    }

    @Override
    public void end() {
        var by = receiver;
        if (by != null) {
            deliver(by);
        }
    }

    @Override
    public void broken(DeviceFailed why) {
        var by = receiver;
        if (by != null) {
            by.failed(why);
        }
    }

    /// All of it, to who receives it.
    void deliver(Receiving to) {
        to.take(Objects.requireNonNull(memory), 0, come);
        to.end();
        to.device.consumed(this);
    }
}
