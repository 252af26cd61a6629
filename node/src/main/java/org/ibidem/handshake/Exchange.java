package org.ibidem.handshake;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.time.Duration;
import org.ibidem.buffer.ControlReader;
import org.ibidem.connect.BriefWait;
import org.ibidem.connect.SocketPath;
import org.ibidem.link.StreamPath;
import org.ibidem.task.Tasks;

/// The I/O of one handshake over a blocking channel: exact reads, whole writes, and one time limit
/// over all of it, which closes the channel. Never reads a byte past what it was asked for.
public final class Exchange {
    private static final int MOST_DRAINED = 4096;

    private volatile ByteChannel channel;
    private final Tasks.Task timer;
    private final BriefWait brief;
    private volatile boolean late;
    private boolean heard;

    Exchange(ByteChannel channel, Tasks tasks, Duration limit) {
        this.channel = channel;
        this.brief = new BriefWait(tasks);
        this.timer = tasks.alarm(limit, "handshake limit", this::expire);
    }

    /// From here on over this channel, which stands on the one before.
    void goOn(ByteChannel above) {
        channel = above;
    }

    /// Reads exactly this many bytes.
    ///
    /// @param what they are, for the message when they do not come
    /// @throws HandshakeBroken when the connection ends before; [HandshakeTimeout] when the time is
    ///   over
    public byte[] read(String what, int bytes) {
        var into = ByteBuffer.allocate(bytes);
        try {
            while (into.hasRemaining()) {
                int read = readSome(into);
                heard |= read > 0;
                if (read < 0) {
                    throw new HandshakeBroken(
                            "the peer closed the connection where its "
                                    + what
                                    + " should be ("
                                    + into.position()
                                    + " of "
                                    + bytes
                                    + " bytes came)");
                }
            }
            return into.array();
        } catch (IOException e) {
            throw broken("the connection broke while its " + what + " was read", e);
        }
    }

    private int readSome(ByteBuffer into) throws IOException {
        return channel instanceof SocketPath path
                ? brief.read(path.socket(), into)
                : channel.read(into);
    }

    /// Whether the peer has said anything at all.
    boolean hasHeard() {
        return heard;
    }

    /// Reads a length and as many bytes.
    byte[] readSized(String what, int most) {
        int length = new ControlReader(read(what, HandshakeMessages.LENGTH_BYTES)).u16("length");
        if (length > most) {
            throw new HandshakeGarbled(
                    "a " + what + " of " + length + " bytes, but at most " + most + " are allowed");
        }
        return read(what, length);
    }

    /// Writes all of these bytes.
    ///
    /// @param what they are, for the message when they cannot be sent
    /// @throws HandshakeBroken when the connection ends before; [HandshakeTimeout] when the time is
    ///   over
    public void write(String what, byte[] bytes) {
        var from = ByteBuffer.wrap(bytes);
        try {
            while (from.hasRemaining()) {
                channel.write(from);
            }
        } catch (IOException e) {
            throw broken("the connection broke while the " + what + " was sent", e);
        }
    }

    /// Ends our direction and waits for the peer to do so: closing over unread bytes would be a
    /// reset, which may overtake our last words.
    void lastWords() {
        try {
            if (channel instanceof StreamPath path) {
                path.end();
            }
            var into = ByteBuffer.allocate(MOST_DRAINED);
            while (into.hasRemaining() && channel.read(into) >= 0) {
                // what it says now does not matter any more
            }
        } catch (IOException _) {
            // gone: then it heard them or never will
        }
    }

    /// Waits until the peer ends the connection, or the time is over, and closes it.
    public void awaitEnd() {
        try {
            channel.read(ByteBuffer.allocate(1));
        } catch (IOException _) {
            // ended in another way
        }
        close();
    }

    /// The handshake is over and its time limit too.
    public void done() {
        timer.stop();
        if (late) {
            throw new HandshakeTimeout(tooLate());
        }
    }

    /// Ends the connection.
    void close() {
        timer.stop();
        closeChannel();
    }

    private void expire() {
        late = true;
        closeChannel();
    }

    private void closeChannel() {
        try {
            channel.close();
        } catch (IOException _) {
            // nobody is left who could use the answer
        }
    }

    /// What an error in reading or writing means.
    HandshakeFailed broken(String what, IOException e) {
        return late ? new HandshakeTimeout(tooLate(), e) : new HandshakeBroken(what + ": " + e, e);
    }

    private String tooLate() {
        return "the peer did not finish the handshake in time";
    }
}
