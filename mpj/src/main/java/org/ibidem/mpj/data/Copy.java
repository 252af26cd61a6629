package org.ibidem.mpj.data;

import java.lang.foreign.MemorySegment;
import org.ibidem.mpj.ErrorClass;
import org.ibidem.mpj.Fault;
import org.ibidem.mpj.device.Outgoing;

/// A copy of a message, whose array may be used again.
public final class Copy implements Outgoing {
    private static final int MOST = Integer.MAX_VALUE - 8;

    private final int type;
    private final long bytes;
    private final long objects;
    private final MemorySegment memory;
    private long position;

    /// Takes it.
    public Copy(Outgoing message) {
        this.type = message.type();
        this.bytes = message.bytes();
        this.objects = message.objects();
        long all = bytes + objects;
        Fault.unless(
                all <= MOST,
                ErrorClass.BUFFER,
                "a message of "
                        + all
                        + " bytes cannot be copied, as Bsend and Sendrecv_replace do: only one of less than 2 GiB");
        int size = (int) all;
        this.memory = MemorySegment.ofArray(new byte[size]);
        if (size > 0) {
            message.write(memory, 0, size);
        }
    }

    @Override
    public int type() {
        return type;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public long objects() {
        return objects;
    }

    @Override
    public void write(MemorySegment into, long at, int count) {
        MemorySegment.copy(memory, position, into, at, count);
        position += count;
    }
}
