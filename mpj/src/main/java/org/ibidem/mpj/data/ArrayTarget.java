package org.ibidem.mpj.data;

import java.lang.foreign.MemorySegment;
import org.ibidem.mpj.ErrorClass;
import org.ibidem.mpj.Fault;
import org.ibidem.mpj.device.Envelope;
import org.ibidem.mpj.device.Incoming;
import org.jspecify.annotations.Nullable;

/// Where primitives are received into.
final class ArrayTarget implements Incoming {
    private final Part part;
    private final Walk walk;
    private @Nullable Fault wrong;

    ArrayTarget(Part part) {
        this.part = part;
        this.walk = new Walk(part);
    }

    @Override
    public long begin(Envelope message) {
        Kind kind = part.shape().kind();
        if (message.size() > 0 && !kind.takes(message.type())) {
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
        if (message.bytes() > part.bytes()) {
            wrong =
                    new Fault(
                            ErrorClass.TRUNCATE,
                            "a message of "
                                    + message.bytes()
                                    + " bytes is longer than the "
                                    + part.bytes()
                                    + " its receiver has room for");
            return part.bytes();
        }
        return message.bytes();
    }

    @Override
    public void read(MemorySegment from, long at, int count) {
        walk.load(from, at, count);
    }

    @Override
    public void end() {
        if (wrong != null) {
            throw wrong;
        }
    }
}
