package org.ibidem.port;

import java.util.concurrent.locks.LockSupport;
import org.ibidem.buffer.Frame;

/// Messages of one number each, and more than a connection holds.
final class Traffic {
    private static final int PART = 100_000;

    /// Looks that find no room, after which there is none.
    private static final int FULL = 20;

    private Traffic() {}

    static void send(SendPort out, int value) {
        try (var message = out.newMessage()) {
            message.writeInt(value).finish();
        }
    }

    static void sendForEver(SendPort out) {
        while (true) {
            send(out, 0);
        }
    }

    static void writeForEver(WriteMessage message) {
        while (true) {
            message.writeArray(new byte[PART]);
        }
    }

    /// As [#writeForEver] writes.
    static void readForEver(ReadMessage message) {
        while (true) {
            message.readArray(new byte[PART]);
        }
    }

    static int receive(ReceivePort in) {
        try (var message = in.receive()) {
            return message.readInt();
        }
    }

    /// Whether a message of it is in a hand.
    static boolean isUsed(SendPort out) {
        boolean free = out.turn().tryTake();
        if (free) {
            out.turn().giveBack();
        }
        return !free;
    }

    /// Until its receiver, which does not read, must make room for more. The system takes some on
    /// its way, and may make room again at any time.
    ///
    /// @param flags of each frame: none if each is a message, otherwise [Frame#MORE]
    /// @return how many frames
    static int fill(SendPort out, int flags) {
        var room = new Frame();
        int count = 0;
        for (int full = 0; full <= FULL; full++) {
            while (out.sink().claim(room, 1)) {
                room.position = room.limit;
                out.sink().commit(room, flags);
                count++;
                full = 0;
            }
            LockSupport.parkNanos(100_000);
        }
        return count;
    }

    /// With one message that does not end.
    static void fill(SendPort out) {
        fill(out, Frame.MORE);
    }
}
