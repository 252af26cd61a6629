package org.ibidem.mpj.collective;

import org.ibidem.mpj.data.Part;
import org.ibidem.mpj.device.Begun;
import org.ibidem.mpj.device.Device;
import org.ibidem.mpj.device.Envelope;
import org.ibidem.mpj.device.Request;

/// Who takes part: processes of a device in the order of their ranks, and a context that is theirs
/// alone. All their operations follow each other in one order, so one tag does.
///
/// @param device what messages travel by
/// @param members by rank, their numbers in the device
/// @param rank of this process
/// @param context of the messages
public record Team(Device device, int[] members, int rank, int context) {
    private static final int TAG = 0;

    /// How many take part.
    public int size() {
        return members.length;
    }

    /// The rank so many places behind this one, in a circle.
    int behind(int places) {
        return Math.floorMod(rank + places, size());
    }

    Request isend(Part part, int to) {
        return device.isend(part.outgoing(), members[to], TAG, context);
    }

    Request irecv(Part part, int from) {
        return device.irecv(part.incoming(), members[from], TAG, context);
    }

    void send(Part part, int to) {
        Envelope _ = Begun.await(isend(part, to));
    }

    void recv(Part part, int from) {
        Envelope _ = Begun.await(irecv(part, from));
    }

    /// Sends to one and receives from one, at once.
    void exchange(Part out, int to, Part in, int from) {
        try (Begun begun = new Begun()) {
            Request _ = begun.receives(irecv(in, from));
            Request _ = begun.sends(isend(out, to));
            begun.await();
        }
    }
}
