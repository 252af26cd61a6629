package org.ibidem.link.shm;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import org.ibidem.buffer.Ring;
import org.ibidem.link.FrameLink;
import org.ibidem.link.Lower;
import org.ibidem.link.RingLink;

/// How two ends agree on a segment, over the proved socket that is the doorbell afterwards.
///
/// ```
/// active  -> passive   u32 bytes of data in each ring
/// passive -> active    u8 length of the complaint; 0: mapped; then the complaint, UTF-8
/// ```
///
/// The name of the file follows from the link's key, so neither end can make the other open a file
/// of its choosing. It is removed before the link is used: nothing is left behind by any kill.
final class Meeting {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final int LONGEST_COMPLAINT = 255;

    private final Lower lower;

    Meeting(Lower lower) {
        this.lower = lower;
    }

    FrameLink offer(int ring) throws IOException {
        var socket = lower.socket();
        var limit = lower.tasks().after(LIMIT, "shm meeting limit", () -> close(socket));
        try {
            socket.configureBlocking(true);
            var segment = Segment.create(lower.key(), ring);
            try {
                write(
                        socket,
                        ByteBuffer.allocate(Integer.BYTES).putInt(0, Integer.reverseBytes(ring)));
                complaint(socket);
            } finally {
                Files.deleteIfExists(Segment.file(lower.key()));
            }
            return link(socket, segment, segment.forward(), segment.backward());
        } catch (IOException e) {
            close(socket);
            throw e;
        } finally {
            limit.stop();
        }
    }

    FrameLink take() throws IOException {
        var socket = lower.socket();
        var limit = lower.tasks().after(LIMIT, "shm meeting limit", () -> close(socket));
        try {
            socket.configureBlocking(true);
            int ring = Integer.reverseBytes(read(socket, Integer.BYTES).getInt(0));
            var segment = map(socket, ring);
            write(socket, ByteBuffer.allocate(1));
            return link(socket, segment, segment.backward(), segment.forward());
        } catch (IOException e) {
            close(socket);
            throw e;
        } finally {
            limit.stop();
        }
    }

    private Segment map(SocketChannel socket, int ring) throws IOException {
        try {
            new Shm(ring);
            return Segment.open(lower.key(), ring);
        } catch (IOException | IllegalArgumentException e) {
            var text = ("cannot map the shared file: " + e).getBytes(StandardCharsets.UTF_8);
            int length = Math.min(text.length, LONGEST_COMPLAINT);
            write(
                    socket,
                    ByteBuffer.allocate(1 + length).put((byte) length).put(text, 0, length).flip());
            throw new IOException("cannot map the shared file of the peer: " + e, e);
        }
    }

    private static void complaint(SocketChannel socket) throws IOException {
        int length = read(socket, 1).get(0) & 0xFF;
        if (length > 0) {
            var text = new String(read(socket, length).array(), StandardCharsets.UTF_8);
            throw new IOException("the peer does not see this machine's shared memory: " + text);
        }
    }

    private static FrameLink link(SocketChannel socket, Segment segment, long out, long in)
            throws IOException {
        socket.configureBlocking(false);
        var writer = Ring.writer(segment.memory(), out, segment.ring());
        var reader = Ring.reader(segment.memory(), in, segment.ring());
        return new RingLink(writer, reader, new SocketBell(socket));
    }

    private static void write(SocketChannel socket, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            socket.write(bytes);
        }
    }

    private static ByteBuffer read(SocketChannel socket, int length) throws IOException {
        var bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining()) {
            if (socket.read(bytes) < 0) {
                throw new EOFException("the peer went away while shared memory was agreed on");
            }
        }
        return bytes;
    }

    private static void close(SocketChannel socket) {
        try {
            socket.close();
        } catch (IOException e) {
            System.getLogger(Meeting.class.getName())
                    .log(System.Logger.Level.DEBUG, "closing a socket failed", e);
        }
    }
}
