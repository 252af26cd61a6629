package org.ibidem.mpj.device.circuit;

import java.lang.foreign.MemorySegment;
import org.ibidem.buffer.Frame;
import org.ibidem.circuit.CircuitBroken;
import org.ibidem.mpj.device.DeviceFailed;
import org.ibidem.mpj.device.Envelope;
import org.ibidem.mpj.device.Outgoing;
import org.jspecify.annotations.Nullable;

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

    /// It was cancelled after its header had left: its receiver is asked to give it back.
    private boolean cancelled;

    /// To this process itself, where it waits.
    private @Nullable Arrived waiting;

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

    /// What the program has given may fail to be read, as memory that it has freed does.
    @Override
    public boolean write(Peer peer) {
        try {
            return writes(peer);
        } catch (CircuitBroken | InternalError e) {
            throw e;
        } catch (RuntimeException | Error e) {
            failed(DeviceFailed.unsent(e));
            if (begun) { // its receiver waits for the rest
                throw peer.givesUp("a message to it cannot be read where it lies: " + e);
            }
            device.unsent(this, peer);
            return true;
        }
    }

    private boolean writes(Peer peer) {
        if (!begun) {
            long some = isEager() ? Math.min(size, Peer.PIECE) : 0;
            if (!peer.claims(Header.LARGE + (int) some)) {
                return false;
            }
            writeFirst(peer.room);
            begun = true;
            peer.commit(!isEager() || written == size);
        }
        return (!isEager() && !isAsked()) || writeRest(peer);
    }

    private void writeFirst(Frame room) {
        long at = room.position;
        Header.write(room, kind, number, envelope);
        if (isEager()) {
            try {
                fill(room);
            } catch (RuntimeException | Error e) {
                room.position = at;
                throw e;
            }
        }
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

    /// Where it waits, of one to this process itself.
    @Nullable Arrived waiting() {
        return waiting;
    }

    void waitsAs(Arrived arrived) {
        waiting = arrived;
    }

    /// Whether its receiver can still be asked to give it back.
    boolean isCancellable() {
        return !isDone() && begun && kind != Header.EAGER && !isAsked();
    }

    /// Remembers that it is to come back.
    ///
    /// @return whether that is new
    boolean cancels() {
        boolean first = !cancelled;
        cancelled = true;
        return first;
    }

    boolean isCancelled() {
        return cancelled;
    }

    /// By what its receiver finds it.
    Item.Word cancelWord() {
        long where = (envelope.tag() & 0xFFFF_FFFFL) | ((long) envelope.context() << Integer.SIZE);
        return new Item.Word(Header.CANCEL, number, where);
    }

    /// It has come back.
    void takenBack() {
        over(
                Envelope.cancelled(
                        envelope.source(), envelope.to(), envelope.tag(), envelope.context()));
    }

    @Override
    public boolean cancel() {
        return device.cancel(this);
    }

    @Override
    public boolean isEnding() {
        return isDone() || device.isEnding(this);
    }

    /// Whether it ends without a receive; its receiver understands who cancels, or not.
    boolean isEnding(boolean understands) {
        return isAsked() || (begun && kind == Header.EAGER) || (cancelled && understands);
    }
}
