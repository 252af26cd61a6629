package org.ibidem.mpj.data;

import java.lang.foreign.MemorySegment;
import org.ibidem.mpj.ErrorClass;
import org.ibidem.mpj.Fault;
import org.ibidem.mpj.device.Envelope;
import org.ibidem.mpj.device.Incoming;
import org.jspecify.annotations.Nullable;

/// Where objects are received into.
final class ObjectTarget implements Incoming {
    private static final int MOST = Integer.MAX_VALUE - 8;

    private final Part part;
    private @Nullable Fault wrong;
    private byte[] bytes = {};
    private int objects;
    private int position;

    ObjectTarget(Part part) {
        this.part = part;
    }

    @Override
    public long begin(Envelope message) {
        if (message.size() > 0 && !Kind.OBJECT.takes(message.type())) {
            wrong = Messages.ofAnotherType(message, Kind.OBJECT);
        } else if (message.bytes() > part.elements()) {
            wrong =
                    new Fault(
                            ErrorClass.TRUNCATE,
                            "a message of "
                                    + message.bytes()
                                    + " objects is longer than the "
                                    + part.elements()
                                    + " its receiver has room for");
        } else if (message.size() > MOST) {
            wrong = new Fault(ErrorClass.INTERN, "the objects of one message take more than 2 GiB");
        }
        if (wrong != null) {
            return 0;
        }
        bytes = new byte[(int) message.size()];
        objects = (int) message.bytes();
        return bytes.length;
    }

    @Override
    public void read(MemorySegment from, long at, int count) {
        MemorySegment.copy(from, at, MemorySegment.ofArray(bytes), position, count);
        position += count;
    }

    @Override
    public void end() {
        if (wrong != null) {
            throw wrong;
        }
        Objects.read(objects, MemorySegment.ofArray(bytes).asSlice(objects), part);
    }
}
