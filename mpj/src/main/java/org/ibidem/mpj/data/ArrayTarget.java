package org.ibidem.mpj.data;

import java.lang.foreign.MemorySegment;
import org.ibidem.mpj.ErrorClass;
import org.ibidem.mpj.Fault;
import org.ibidem.mpj.device.Envelope;
import org.ibidem.mpj.device.Incoming;
import org.jspecify.annotations.Nullable;

/// Where primitives are received into. One object with the way through them, as there is one for
/// each message.
final class ArrayTarget extends Walk implements Incoming {
    private final long room;
    private @Nullable Fault wrong;

    ArrayTarget(Part part) {
        super(part);
        this.room = part.bytes();
    }

    @Override
    public long begin(Envelope message) {
        Kind kind = kind();
        boolean empty = kind == Kind.NONE; // a datatype of nothing is of every type
        if (message.size() > 0 && !empty && !kind.takes(message.type())) {
            wrong = Messages.ofAnotherType(message, kind);
            return 0;
        }
        if (message.objects() > 0) {
            wrong =
                    new Fault(
                            ErrorClass.TYPE,
                            "there are objects in the message: it is received into an mpjbuf.Buffer");
            return 0;
        }
        if (message.bytes() > room) {
            wrong =
                    new Fault(
                            ErrorClass.TRUNCATE,
                            "a message of "
                                    + message.bytes()
                                    + " bytes is longer than the "
                                    + room
                                    + " its receiver has room for");
            return room;
        }
        return message.bytes();
    }

    @Override
    public void read(MemorySegment from, long at, int count) {
        load(from, at, count);
    }

    @Override
    public void end() {
        if (wrong != null) {
            throw wrong;
        }
    }
}
