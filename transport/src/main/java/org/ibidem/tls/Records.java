package org.ibidem.tls;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/// The records of one session of TLS, one after the other: who has the bytes encrypts and decrypts
/// here. One thread may encrypt while another decrypts.
///
/// What the reading side owes the peer, as the answer to a change of keys, goes out with the next
/// bytes that are encrypted.
public final class Records {
    /// Bytes in front of each record: its type, its version, its length.
    public static final int HEADER = 5;

    private static final int LENGTH_AT = 3;
    private static final int TOGETHER = 4;
    private static final int MOST_SPARE = 16;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    /// Memory to encrypt into: whoever writes borrows it for a moment.
    private static final BlockingQueue<ByteBuffer> SPARE = new ArrayBlockingQueue<>(MOST_SPARE);

    private final SSLEngine engine;
    private final int largest;

    /// Those of this session.
    ///
    /// @param engine as [Engines] makes it
    public Records(SSLEngine engine) {
        this.engine = engine;
        this.largest = engine.getSession().getPacketBufferSize();
    }

    /// The longest record, in bytes.
    public int largest() {
        return largest;
    }

    /// Memory for some records, empty; to be given back.
    public ByteBuffer borrow() {
        var spare = SPARE.poll();
        return spare == null || spare.capacity() < TOGETHER * largest
                ? ByteBuffer.allocateDirect(TOGETHER * largest)
                : spare.clear();
    }

    /// Somebody else may have it now.
    public void giveBack(ByteBuffer borrowed) {
        SPARE.offer(borrowed); // else there is enough of it
    }

    /// Encrypts what there is room for.
    ///
    /// @param from moved by what was encrypted
    /// @param out has room for [#largest] bytes at least; moved by the records
    public void encrypt(ByteBuffer from, ByteBuffer out) throws IOException {
        while (from.hasRemaining() && out.remaining() >= largest) {
            wrap(from, out);
        }
    }

    private void wrap(ByteBuffer from, ByteBuffer out) throws IOException {
        var result = engine.wrap(from, out);
        if (result.getStatus() != SSLEngineResult.Status.OK) {
            throw new SSLException("the peer has ended the encrypted connection");
        }
        worked(result.getHandshakeStatus());
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

    /// Whether a whole record is there.
    public static boolean isWhole(ByteBuffer in) {
        return in.remaining() >= HEADER && in.remaining() >= length(in);
    }

    /// The length of the record at the beginning, which may not be whole; if not even its header is
    /// there, of that.
    public static int length(ByteBuffer in) {
        return in.remaining() < HEADER
                ? HEADER
                : HEADER + Short.toUnsignedInt(in.getShort(in.position() + LENGTH_AT));
    }

    /// Decrypts one record.
    ///
    /// @param in begins with a whole one, big-endian; moved behind it
    /// @param into has room for as many bytes as the record has; moved by what was in it, which may
    ///   be nothing
    /// @return false: the peer says nothing more
    /// @throws SSLException when it is not what the peer encrypted
    public boolean decrypt(ByteBuffer in, ByteBuffer into) throws IOException {
        var result = engine.unwrap(in, into);
        worked(result.getHandshakeStatus());
        return switch (result.getStatus()) {
            case OK -> true;
            case CLOSED -> false;
            default ->
                    throw new SSLException("a record of " + length(in) + " bytes, which is none");
        };
    }

    /// Where the handshake stands.
    public enum Step {
        /// [#say] has something for the other end.
        SAY,
        /// The other end is to say something: a record for [#decrypt].
        HEAR,
        /// It is over.
        DONE
    }

    /// What is next in the handshake.
    public Step next() {
        return switch (worked(engine.getHandshakeStatus())) {
            case NEED_WRAP -> Step.SAY;
            case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> Step.HEAR;
            default -> Step.DONE;
        };
    }

    /// Begins the handshake.
    public void begin() throws IOException {
        engine.beginHandshake();
    }

    /// What this end has to say in the handshake, or why it leaves.
    ///
    /// @param out has room for [#largest] bytes at least
    public void say(ByteBuffer out) throws IOException {
        var result = engine.wrap(NOTHING, out);
        worked(result.getHandshakeStatus());
    }

    /// As [Engines#exported].
    public byte[] exported() throws IOException {
        return Engines.exported(engine);
    }
}
