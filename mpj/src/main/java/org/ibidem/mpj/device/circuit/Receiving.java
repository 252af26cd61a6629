package org.ibidem.mpj.device.circuit;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.ibidem.mpj.device.DeviceFailed;
import org.ibidem.mpj.device.Envelope;
import org.ibidem.mpj.device.Incoming;
import org.jspecify.annotations.Nullable;

/// A receive: what a message is received into, once one has met it.
final class Receiving extends Operation implements Target {
    private final Incoming into;
    private @Nullable Envelope message;
    private long wanted;
    private long come;

    Receiving(CircuitDevice device, Incoming into) {
        super(device);
        this.into = into;
    }

    /// The message that it takes is known.
    void meets(Envelope of) {
        try {
            wanted = Math.min(into.begin(of), of.size());
        } catch (RuntimeException | Error e) { // whoever polls has not to do with it
            failed(DeviceFailed.untaken(e));
        }
        message = of;
    }

    @Override
    public void take(MemorySegment from, long at, int count) {
        int some = (int) Math.min(count, wanted - come);
        if (some > 0 && !isDone()) {
            try {
                into.read(from, at, some);
            } catch (InternalError e) {
                throw e; // of the link's memory, which was cut short
            } catch (RuntimeException | Error e) {
                failed(DeviceFailed.untaken(e));
            }
        }
        come += count;
    }

    @Override
    public long left() {
        return size() - come;
    }

    @Override
    public long size() {
        return message().size();
    }

    @Override
    public void end() {
        if (isDone()) {
            return;
        }
        var it = message();
        try {
            into.end();
        } catch (RuntimeException | Error e) { // of a class that the message brings, such as
            failed(DeviceFailed.untaken(e));
            return;
        }
        over(wanted == it.size() ? it : it.cut());
    }

    @Override
    public Envelope message() {
        return Objects.requireNonNull(message);
    }

    @Override
    public void broken(DeviceFailed why) {
        failed(why);
    }

    @Override
    public boolean cancel() {
        return device.cancel(this);
    }

    /// Whether a message has met it.
    @Override
    public boolean isEnding() {
        return isDone() || message != null;
    }
}
