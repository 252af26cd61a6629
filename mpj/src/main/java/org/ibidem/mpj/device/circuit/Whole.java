package org.ibidem.mpj.device.circuit;

import org.ibidem.mpj.device.Outgoing;

/// A short message that leaves at once and whole, or not at all: nobody has to ask what became of
/// it, so it is no [Sending].
record Whole(Outgoing message, int source, int tag, int context) implements Item {
    @Override
    public boolean write(Peer peer) {
        long size = message.bytes() + message.objects();
        int all = Header.LARGE + (int) size;
        var room = peer.room;
        if (!peer.claims(all) || room.room() < all || !peer.affords(size)) {
            return false;
        }
        long at = room.position;
        Header.eager(room, source, peer.rank, tag, context, message);
        try {
            message.write(room.memory, room.position, (int) size);
        } catch (RuntimeException | Error e) { // nothing of it leaves
            room.position = at;
            peer.spares(size);
            throw e;
        }
        room.position += size;
        peer.commit(true);
        return true;
    }
}
