package org.ibidem.serial;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ibidem.buffer.Frame;
import org.ibidem.serial.wire.PrimitiveArray;
import org.ibidem.serial.wire.Sink;

/// A sink that fills the memory which a driver lets the writer of a message claim.
public abstract class ToFrames implements Sink {
    private final Frame frame;

    /// Fills this frame from its position on.
    protected ToFrames(Frame frame) {
        this.frame = frame;
    }

    /// Hands the frame over and claims the next for the same message: of at least 8 bytes.
    protected abstract void next() throws IOException;

    @Override
    public final void write(byte[] bytes, int offset, int count) throws IOException {
        var f = frame;
        for (int done = 0; done < count; ) {
            int some = (int) Math.min(count - done, f.limit - f.position);
            if (some <= 0) {
                next();
                continue;
            }
            MemorySegment.copy(
                    bytes, offset + done, f.memory, ValueLayout.JAVA_BYTE, f.position, some);
            f.position += some;
            done += some;
        }
    }

    @Override
    public final void writeArray(PrimitiveArray kind, Object array, int offset, int count)
            throws IOException {
        var f = frame;
        for (int done = 0; done < count; ) {
            int some = (int) Math.min(count - done, (f.limit - f.position) / kind.size());
            if (some <= 0) {
                next();
                continue;
            }
            kind.store(array, offset + done, f.memory, f.position, some);
            f.position += (long) some * kind.size();
            done += some;
        }
    }
}
