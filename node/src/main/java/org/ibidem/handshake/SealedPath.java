package org.ibidem.handshake;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLException;
import org.ibidem.connect.routed.Overheard;
import org.ibidem.link.BargingLock;
import org.ibidem.link.StreamPath;
import org.ibidem.tls.Records;
import org.ibidem.tls.SessionBroken;
import org.ibidem.wait.Waitable;
import org.jspecify.annotations.Nullable;

/// A path under TLS 1.3, for what nodes and hubs say to each other; an idle one keeps little
/// memory.
///
/// Who ends it says so in what it carries, as over any other path: no `close_notify`, and that the
/// connection ends is the end of it.
public final class SealedPath implements StreamPath, Overheard {
    private static final int SMALL = 1 << 10;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    /// What reading a record from below came to.
    private enum Came {
        WHOLE,
        NOT_YET,
        END
    }

    private final StreamPath below;
    private final Records records;

    /// What came and is not decrypted, from its position to its limit.
    private ByteBuffer in = ByteBuffer.allocate(SMALL).limit(0);

    /// What of a record the reader had no room for, from its position to its limit.
    private ByteBuffer rest = ByteBuffer.allocate(0);

    private boolean ended;

    /// Held by who encrypts.
    private final ReentrantLock writing = new BargingLock();

    /// What is encrypted and was not taken below, which only happens where that does not wait; with
    /// the lock.
    private ByteBuffer owed = NOTHING;

    /// Of what the session broke, as the reader has found.
    private volatile @Nullable SessionBroken broken;

    SealedPath(StreamPath below, Records records) {
        this.below = below;
        this.records = records;
    }

    /// The path under it; what goes over that is encrypted.
    public StreamPath below() {
        return below;
    }

    /// For who moves the bytes himself from now on, and never through this path.
    public Records records() {
        return records;
    }

    /// What was read and not decrypted yet.
    public byte[] unread() {
        var bytes = new byte[in.remaining()];
        in.get(bytes);
        return bytes;
    }

    /// Makes the session; blocks.
    ///
    /// @throws IOException when there is none; this end has said why, then
    void shake() throws IOException {
        try {
            records.begin();
            for (var next = records.next(); next != Records.Step.DONE; next = records.next()) {
                if (next == Records.Step.SAY) {
                    say();
                } else {
                    hear();
                }
            }
        } catch (SSLException e) {
            lastWords(e);
            throw e;
        }
    }

    private void hear() throws IOException {
        if (filled() != Came.WHOLE || !decrypted()) {
            throw new EOFException("the other end ended the connection");
        }
    }

    private void say() throws IOException {
        var out = records.borrow();
        try {
            records.say(out);
            send(out);
        } finally {
            records.giveBack(out);
        }
    }

    private void lastWords(SSLException why) {
        try {
            say();
            below.end();
        } catch (IOException e) {
            why.addSuppressed(e); // then it will see that the connection ends
        }
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        int before = into.remaining();
        try {
            while (before > 0 && into.remaining() == before) {
                if (rest.hasRemaining()) {
                    move(into);
                    continue;
                }
                var came = ended ? Came.END : filled();
                if (came == Came.END) {
                    return -1;
                }
                if (came == Came.NOT_YET) {
                    return 0;
                }
                if (into.remaining() >= Records.length(in)) {
                    ended = !records.decrypt(in, into);
                } else {
                    decrypted();
                }
            }
        } catch (SSLException e) {
            var why = SessionBroken.of(e);
            broken = why;
            takeLeave();
            throw why;
        }
        return before - into.remaining();
    }

    /// Tells the other end of what the session broke, unless somebody is writing, who does it then.
    private void takeLeave() {
        if (writing.tryLock()) {
            try {
                if (flushed()) {
                    say();
                }
            } catch (IOException _) {
                // then it will see that the connection ends
            } finally {
                writing.unlock();
            }
        }
    }

    private void move(ByteBuffer into) {
        int bytes = Math.min(rest.remaining(), into.remaining());
        into.put(into.position(), rest, rest.position(), bytes).position(into.position() + bytes);
        rest.position(rest.position() + bytes);
    }

    /// Decrypts a record beside the reader's memory.
    private boolean decrypted() throws IOException {
        var into = ByteBuffer.allocate(Records.length(in));
        ended = !records.decrypt(in, into);
        rest = into.flip();
        return !ended;
    }

    /// Reads until a whole record is here, or nothing comes now.
    private Came filled() throws IOException {
        while (!Records.isWhole(in)) {
            int wanted = Records.length(in);
            if (wanted > in.capacity()) {
                if (wanted > records.largest()) {
                    records.decrypt(in, ByteBuffer.allocate(0)); // refuses it, and has it said so
                    throw new SSLException("this is no TLS: a record of " + wanted + " bytes");
                }
                in = ByteBuffer.allocate(2 * Integer.highestOneBit(wanted)).put(in).flip();
            }
            in.compact();
            try {
                int got = below.read(in);
                if (got <= 0) {
                    ended = got < 0;
                    return ended ? Came.END : Came.NOT_YET;
                }
            } finally {
                in.flip();
            }
        }
        return Came.WHOLE;
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        int before = from.remaining();
        writing.lock();
        try {
            if (flushed()) {
                encrypted(from);
            }
        } catch (SSLException e) {
            var why = broken;
            throw why == null ? e : why.again();
        } finally {
            writing.unlock();
            if (broken != null) {
                takeLeave();
            }
        }
        return before - from.remaining();
    }

    @Override
    public boolean flush() throws IOException {
        writing.lock();
        try {
            return flushed();
        } finally {
            writing.unlock();
        }
    }

    private boolean flushed() throws IOException {
        if (owed.hasRemaining()) {
            sent(owed);
        }
        return !owed.hasRemaining();
    }

    private void encrypted(ByteBuffer from) throws IOException {
        var out = records.borrow();
        try {
            while (from.hasRemaining() && !owed.hasRemaining()) {
                try {
                    records.encrypt(from, out.clear());
                } finally {
                    send(out); // if the session is broken, that it is
                }
            }
        } finally {
            records.giveBack(out);
        }
    }

    private void send(ByteBuffer out) throws IOException {
        out.flip();
        sent(out);
        owed = out.hasRemaining() ? ByteBuffer.allocate(out.remaining()).put(out).flip() : NOTHING;
    }

    /// Has it taken below, as far as that does without waiting if it is not to.
    private void sent(ByteBuffer out) throws IOException {
        while (out.hasRemaining() && below.write(out) > 0) {
            // the rest
        }
    }

    @Override
    public void onSign(Runnable told) {
        if (below instanceof Overheard shared) {
            shared.onSign(told);
        }
    }

    @Override
    public void blocking(boolean wait) throws IOException {
        below.blocking(wait);
    }

    @Override
    public SocketAddress remote() {
        return below.remote();
    }

    @Override
    public @Nullable SocketAddress local() {
        return below.local();
    }

    @Override
    public boolean isOpen() {
        return below.isOpen();
    }

    @Override
    public void end() throws IOException {
        below.end();
    }

    @Override
    public void reset() {
        below.reset();
    }

    @Override
    public void close() {
        below.close();
    }

    @Override
    public Waitable readable() {
        return below.readable();
    }

    @Override
    public Waitable writable() {
        return below.writable();
    }
}
