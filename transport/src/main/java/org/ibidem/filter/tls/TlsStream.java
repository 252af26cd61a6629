package org.ibidem.filter.tls;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import org.ibidem.link.ByteStream;
import org.ibidem.link.Credentials;
import org.ibidem.link.DeliveryFaults;
import org.ibidem.tls.Binding;
import org.ibidem.tls.Engines;
import org.ibidem.tls.Records;
import org.ibidem.tls.SessionBroken;
import org.ibidem.wait.Armed;
import org.ibidem.wait.SleepTraits;
import org.ibidem.wait.Waitable;
import org.ibidem.wait.WaitableOver;
import org.jspecify.annotations.Nullable;

/// A byte stream in TLS records: bytes are encrypted from the writer's buffer into one for the
/// network, and decrypted into the reader's where that has room for a whole record.
///
/// One thread writes while another reads, as `SSLEngine` allows. What the reading side owes the
/// peer, as the answer to a change of keys, goes out with the next bytes that are written; but why
/// it breaks the session the peer is told at once, so that both ends know what it broke of.
final class TlsStream implements ByteStream {
    /// Records that are written together, and read.
    private static final int RECORDS = 8;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final ByteStream below;
    private final SSLEngine engine;
    private final Waitable readable;
    private final int record;

    /// Held by who encrypts: the writer, and the reader when it says why it breaks the session.
    private final ReentrantLock writing = new ReentrantLock();

    /// Records to be written, up to its position.
    private final ByteBuffer out;

    /// Records that have come and are not decrypted, from its position to its limit.
    private final ByteBuffer in;

    /// What of a record the reader had no room for, from its position to its limit.
    private final ByteBuffer rest;

    /// There was no whole record when last looked, and nothing more to be read.
    private boolean exhausted;

    private boolean ended;

    /// Of what the session broke, as the reader has found.
    private volatile @Nullable String broken;

    TlsStream(ByteStream below, SSLEngine engine) {
        this.below = below;
        this.engine = engine;
        this.readable = new Undecrypted(this, Waitable.of(below.readable()));
        var session = engine.getSession();
        this.record = session.getPacketBufferSize();
        this.out = ByteBuffer.allocateDirect(RECORDS * record);
        this.in = ByteBuffer.allocateDirect(RECORDS * record).limit(0);
        this.rest = ByteBuffer.allocateDirect(session.getApplicationBufferSize()).limit(0);
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        int before = from.remaining();
        writing.lock();
        try {
            boolean free = drained();
            while (from.hasRemaining() && (free || out.remaining() >= record)) {
                while (from.hasRemaining() && out.remaining() >= record) {
                    wrap(from);
                }
                free = drained();
            }
        } finally {
            writing.unlock();
        }
        return before - from.remaining();
    }

    /// Encrypts one record, or says what the handshake has to say.
    private HandshakeStatus wrap(ByteBuffer from) throws IOException {
        var result = engine.wrap(from, out);
        if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
            var why = broken;
            throw new IOException(
                    why == null ? "the peer has ended the encrypted connection" : why);
        }
        return worked(result.getHandshakeStatus());
    }

    private HandshakeStatus worked(HandshakeStatus status) {
        if (status != HandshakeStatus.NEED_TASK) {
            return status;
        }
        for (var task = engine.getDelegatedTask(); task != null; ) {
            task.run();
            task = engine.getDelegatedTask();
        }
        return engine.getHandshakeStatus();
    }

    /// Hands on what is encrypted.
    ///
    /// @return false: BUSY, some is still here
    private boolean drained() throws IOException {
        if (out.position() == 0) {
            return true;
        }
        out.flip();
        try {
            while (out.hasRemaining() && below.write(out) > 0) {
                // until it takes no more
            }
        } finally {
            out.compact();
        }
        return out.position() == 0;
    }

    @Override
    public boolean flush() throws IOException {
        writing.lock();
        try {
            return drained() && below.flush();
        } finally {
            writing.unlock();
        }
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        int before = into.remaining();
        exhausted = false;
        while (into.hasRemaining() && !ended) {
            if (rest.hasRemaining()) {
                move(rest, into);
            } else if (decrypted(into) == SSLEngineResult.Status.BUFFER_UNDERFLOW
                    && (into.remaining() < before || !filled())) {
                break; // what is here is given first: the next look below may say that it is broken
            }
        }
        int got = before - into.remaining();
        if (got > 0 || !ended) {
            return got;
        }
        requireWhole();
        return -1;
    }

    private static void move(ByteBuffer from, ByteBuffer to) {
        int bytes = Math.min(from.remaining(), to.remaining());
        to.put(to.position(), from, from.position(), bytes).position(to.position() + bytes);
        from.position(from.position() + bytes);
    }

    private SSLEngineResult.Status decrypted(ByteBuffer into) throws IOException {
        if (!isDecidable()) {
            return SSLEngineResult.Status.BUFFER_UNDERFLOW;
        }
        try {
            return unwrap(into);
        } catch (SSLException e) {
            var told = SessionBroken.of(e);
            broken = told.getMessage();
            try {
                takeLeave();
            } catch (IOException f) {
                told.addSuppressed(f); // then it will see that the connection ends
            }
            throw told;
        }
    }

    /// Whether the engine can do anything with what is here: it would say no, but with garbage.
    /// What is longer than a record can be, it refuses before as much has come.
    private boolean isDecidable() {
        if (in.remaining() < Records.HEADER) {
            return false;
        }
        return Records.isWhole(in) || Records.length(in) > record;
    }

    /// Decrypts one record, if a whole one is here.
    private SSLEngineResult.Status unwrap(ByteBuffer into) throws IOException {
        boolean fits = into.remaining() >= rest.capacity();
        try {
            var result = engine.unwrap(in, fits ? into : rest.clear());
            worked(result.getHandshakeStatus());
            ended = result.getStatus() == SSLEngineResult.Status.CLOSED;
            return result.getStatus();
        } finally {
            if (!fits) {
                rest.flip();
            }
        }
    }

    /// Reads what there is of records.
    ///
    /// @return false: nothing
    private boolean filled() throws IOException {
        in.compact();
        try {
            int got = below.read(in);
            ended = got < 0;
            exhausted = got == 0;
            return got > 0;
        } finally {
            in.flip();
        }
    }

    /// @throws IOException when the bytes end where no end can be
    private void requireWhole() throws IOException {
        if (in.hasRemaining()) {
            throw new IOException(
                    "the connection ended in the middle of a record of TLS: it was cut on the way,"
                            + " or the other end died");
        }
    }

    /// Begins the handshake.
    void begin() throws IOException {
        engine.beginHandshake();
    }

    /// One step of the handshake.
    ///
    /// @return false: the other end is to say something first
    boolean shakes() throws IOException {
        var status = worked(engine.getHandshakeStatus());
        return switch (status) {
            case NEED_WRAP -> {
                wrap(NOTHING);
                yield true;
            }
            case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                if (unwrap(NOTHING) != SSLEngineResult.Status.BUFFER_UNDERFLOW || filled()) {
                    yield true;
                }
                if (ended) {
                    throw new IOException("the other end ended the connection");
                }
                yield false;
            }
            default -> true;
        };
    }

    /// Says why this end leaves, if the engine has anything to say: it has once it takes nothing
    /// more.
    void takeLeave() throws IOException {
        writing.lock();
        try {
            while (engine.isInboundDone() && engine.wrap(NOTHING, out).bytesProduced() > 0) {
                // an alert
            }
            flush();
        } finally {
            writing.unlock();
        }
    }

    /// What binds this session to a handshake.
    ///
    /// @throws IOException when there is no session yet
    Binding binding(Credentials credentials, byte[] said) throws IOException {
        var peer = engine.getSession().getPeerCertificates()[0].getPublicKey();
        return new Binding(credentials, peer, Engines.exported(engine), said);
    }

    /// Whether both ends have keys.
    boolean isOpen() {
        return engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING;
    }

    @Override
    public Waitable readable() {
        return readable;
    }

    @Override
    public Waitable writable() {
        return Waitable.of(below.writable());
    }

    @Override
    public DeliveryFaults delivery() {
        return below.delivery();
    }

    @Override
    public boolean drain(Duration limit) {
        return below.drain(limit);
    }

    @Override
    public void close() {
        below.close();
    }

    /// Records that are here already would never wake anyone.
    private record Undecrypted(TlsStream stream, Waitable below) implements WaitableOver {
        @Override
        public Armed arm() {
            return stream.exhausted ? below.arm() : Armed.READY;
        }

        @Override
        public SleepTraits traits() {
            return below.traits().looksOnce().staysWith(below.traits());
        }
    }
}
