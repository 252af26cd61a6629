package org.ibidem.serial;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ibidem.buffer.Frame;
import org.ibidem.serial.wire.PrimitiveArray;
import org.ibidem.serial.wire.Source;

/// A source that reads the memory which a driver lends to the reader of a message.
public abstract class FromFrames implements Source {
    private final Frame frame;
    private final byte[] split = new byte[Long.BYTES];
    private final MemorySegment splitMemory = MemorySegment.ofArray(split);

    /// Reads this frame from its position on.
    protected FromFrames(Frame frame) {
        this.frame = frame;
    }

    /// Gets the next frame of the same message, waiting for it.
    ///
    /// @throws IOException when the message has ended
    protected abstract void next() throws IOException;

    @Override
    public final int read(byte[] bytes, int offset, int least, int most) throws IOException {
        var f = frame;
        int done = 0;
        do {
            int some = (int) Math.min(most - done, f.limit - f.position);
            if (some > 0) {
                MemorySegment.copy(
                        f.memory, ValueLayout.JAVA_BYTE, f.position, bytes, offset + done, some);
                f.position += some;
                done += some;
            } else {
                next();
            }
        } while (done < least);
        return done;
    }

    @Override
    public final void readArray(PrimitiveArray kind, Object array, int offset, int count)
            throws IOException {
        var f = frame;
        for (int done = 0; done < count; ) {
            int some = (int) Math.min(count - done, (f.limit - f.position) / kind.size());
            if (some > 0) {
                kind.load(f.memory, f.position, array, offset + done, some);
                f.position += (long) some * kind.size();
                done += some;
            } else {
                read(split, 0, kind.size(), kind.size());
                kind.load(splitMemory, 0, array, offset + done, 1);
                done++;
            }
        }
    }

    @Override
    public final void unread(int count) {
        frame.position -= count;
    }
}
