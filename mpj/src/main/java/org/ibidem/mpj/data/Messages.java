package org.ibidem.mpj.data;

import java.lang.foreign.MemorySegment;
import org.ibidem.mpj.ErrorClass;
import org.ibidem.mpj.Fault;
import org.ibidem.mpj.device.Envelope;
import org.ibidem.mpj.device.Incoming;
import org.ibidem.mpj.device.Outgoing;

/// What is the same for all messages.
public final class Messages {
    private static final int PIECE = 1 << 16;

    private Messages() {}

    static Fault ofAnotherType(Envelope message, Kind wanted) {
        return new Fault(
                ErrorClass.TYPE,
                "a message of " + Kind.of(message.type()) + " cannot be received as " + wanted);
    }

    /// What is known of a message from nowhere.
    public static Envelope envelope(Outgoing message) {
        return new Envelope(
                0, 0, 0, 0, message.type(), message.bytes(), message.objects(), false, false);
    }

    /// Copies a message to where it is received, within this thread.
    public static void copy(Outgoing message, Incoming into) {
        carry(message, into, envelope(message));
    }

    /// The same, of a message of which more is known.
    public static void carry(Outgoing message, Incoming into, Envelope envelope) {
        long wanted = Math.min(into.begin(envelope), envelope.size());
        byte[] piece = new byte[(int) Math.min(PIECE, wanted)];
        MemorySegment memory = MemorySegment.ofArray(piece);
        for (long done = 0; done < wanted; done += piece.length) {
            int some = (int) Math.min(piece.length, wanted - done);
            message.write(memory, 0, some);
            into.read(memory, 0, some);
        }
        into.end();
    }
}
