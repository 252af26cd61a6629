package org.ibidem.mpj.device.circuit;

import java.lang.foreign.MemorySegment;
import org.ibidem.buffer.Frame;
import org.ibidem.mpj.device.Envelope;
import org.ibidem.mpj.device.Outgoing;

/// A message on its way out: its header, then its bytes, as there is room; or its header, and its
/// bytes when they are asked for.
final class Sending extends Operation implements Item {
    static final int NONE = -1;

    private final Outgoing message;
    final Envelope envelope;
    final long size;
    private int kind;
    int number = NONE;

    /// The number of the receiver's request, once it has asked for the bytes.
    private long asker = NONE;

    private boolean begun;

    /// It stopped for their sake, and not for want of room.
    private boolean letsOthersGo;

    private long written;

    Sending(CircuitDevice device, Outgoing message, int to, int tag, int context) {
        super(device);
        this.message = message;
        this.envelope =
                new Envelope(
                        device.id(),
                        to,
                        tag,
                        context,
                        message.type() & 0xFF,
                        message.bytes(),
                        message.objects(),
                        false,
                        false);
        this.size = envelope.size();
    }

    /// @param how one of EAGER, SYNC and START
    void as(int how) {
        kind = how;
    }

    boolean isEager() {
        return kind != Header.START;
    }

    boolean isAsked() {
        return asker != NONE;
    }

    boolean hasBegun() {
        return begun;
    }

    /// Whether it has stopped for the sake of others that wait, of which each may need more room
    /// than there is: what stopped for want of room is not asked again before there is some.
    boolean letsOthersGo() {
        return letsOthersGo;
    }

    /// The receiver asks for the bytes.
    void asked(long by) {
        asker = by;
    }

    @Override
    public boolean write(Peer peer) {
        var room = peer.room;
        if (!begun) {
            long some = isEager() ? Math.min(size, Peer.PIECE) : 0;
            if (!peer.claims(Header.LARGE + (int) some)) {
                return false;
            }
            Header.write(room, kind, number, envelope);
            begun = true;
            if (isEager()) {
                fill(room);
            }
            peer.commit(!isEager() || written == size);
        }
        return (!isEager() && !isAsked()) || writeRest(peer);
    }

    private boolean writeRest(Peer peer) {
        int piece = isAsked() ? Header.DATA : Header.REST;
        boolean nothing = isAsked() && size == 0; // one frame says so
        letsOthersGo = false;
        while (written < size || nothing) {
            if (!peer.claims(Header.SMALL + (int) Math.min(size - written, Peer.PIECE))) {
                return false;
            }
            Header.write(peer.room, piece, (int) asker, 0);
            fill(peer.room);
            peer.commit(written == size);
            nothing = false;
            if (isAsked() && written < size && peer.othersWait()) {
                letsOthersGo = true;
                return false;
            }
        }
        return ended();
    }

    private boolean ended() {
        if (kind == Header.EAGER || isAsked()) {
            over(envelope);
        }
        return true;
    }

    private void fill(Frame room) {
        int some = (int) Math.min(size - written, room.room());
        if (some > 0) {
            message.write(room.memory, room.position, some);
            room.position += some;
            written += some;
        }
    }

    /// Writes all of it elsewhere: to a receiver that is this very process.
    void writeTo(MemorySegment memory, long at, int count) {
        message.write(memory, at, count);
    }

    @Override
    public boolean cancel() {
        return device.cancel(this);
    }
}
