package org.ibidem.hub.relay;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLException;
import org.ibidem.handshake.SealedPath;
import org.ibidem.tls.Records;
import org.ibidem.tls.SessionBroken;

/// A node's connection under TLS. An idle one keeps no buffer: what is kept is the beginning of a
/// record that has not wholly come, and the end of one that was not wholly written.
final class SealedWire implements Wire {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SocketChannel channel;
    private final Records records;

    /// What came and is no whole record; its loop's.
    private byte[] kept;

    /// What of the last record is not written; under this lock.
    private ByteBuffer owed = NOTHING;

    SealedWire(SocketChannel channel, SealedPath from) {
        this.channel = channel;
        this.records = from.records();
        this.kept = from.unread();
    }

    @Override
    public SocketChannel channel() {
        return channel;
    }

    @Override
    public int read(ByteBuffer into, int most, ByteBuffer scratch) throws IOException {
        scratch.clear().put(kept);
        scratch.limit(Math.min(scratch.capacity(), scratch.position() + most));
        if (channel.read(scratch) < 0) {
            return -1;
        }
        scratch.flip();
        into.limit(into.capacity());
        int before = into.position();
        try {
            while (Records.isWhole(scratch) || Records.length(scratch) > records.largest()) {
                if (!records.decrypt(scratch, into)) {
                    return -1;
                }
            }
        } catch (SSLException e) {
            takeLeave();
            throw SessionBroken.of(e);
        }
        kept = new byte[scratch.remaining()];
        scratch.get(kept);
        return into.position() - before;
    }

    /// Tells the node of what the session broke, as far as there is room.
    private synchronized void takeLeave() {
        var out = records.borrow();
        try {
            if (owed.hasRemaining()) {
                channel.write(owed);
            }
            if (!owed.hasRemaining()) {
                records.say(out);
                channel.write(out.flip());
            }
        } catch (IOException _) {
            // then it will see that the connection ends
        } finally {
            records.giveBack(out);
        }
    }

    @Override
    public synchronized void write(ByteBuffer from) throws IOException {
        try {
            if (owed.hasRemaining()) {
                channel.write(owed);
            }
            while (from.hasRemaining() && !owed.hasRemaining()) {
                encrypted(from);
            }
        } catch (IOException e) {
            owed = NOTHING;
            throw e;
        }
    }

    private void encrypted(ByteBuffer from) throws IOException {
        var out = records.borrow();
        try {
            records.encrypt(from, out);
            channel.write(out.flip());
            owed =
                    out.hasRemaining()
                            ? ByteBuffer.allocate(out.remaining()).put(out).flip()
                            : NOTHING;
        } finally {
            records.giveBack(out);
        }
    }

    @Override
    public synchronized boolean owes() {
        return owed.hasRemaining();
    }
}
