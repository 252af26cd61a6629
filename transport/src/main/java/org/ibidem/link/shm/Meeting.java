package org.ibidem.link.shm;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.ibidem.Visible;
import org.ibidem.buffer.Ring;
import org.ibidem.buffer.RingWriter;
import org.ibidem.link.FrameLink;
import org.ibidem.link.Lower;
import org.ibidem.link.StreamPath;
import org.jspecify.annotations.Nullable;

/// How two ends agree on a segment, over the proved socket, which ends when the peer does.
///
/// ```
/// active  -> passive   u32 bytes of data in the first ring, u32 in the largest
/// passive -> active    u8 length of the complaint; 0: mapped; then the complaint, UTF-8
/// active  -> passive   u8 0, where all is well: what passive told in the segment was seen
/// ```
///
/// The name of the file follows from the link's key, so neither end can make the other open a file
/// of its choosing. It is removed before the link is used: nothing is left behind by any kill.
final class Meeting {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final int LONGEST_COMPLAINT = 255;
    private static final int SIZES = 2 * Integer.BYTES;

    private final Lower lower;
    private final Path folder;
    private final @Nullable ReadyPage page;

    /// @param page this node's ready words, or null
    Meeting(Lower lower, Path folder, @Nullable ReadyPage page) {
        this.lower = lower;
        this.folder = folder;
        this.page = page;
    }

    FrameLink offer(Shm options) throws IOException {
        var spare = Spare.take();
        var met = lower.stream();
        var limit = lower.tasks().after(LIMIT, "shm meeting limit", met::close);
        try {
            met.blocking(true);
            var segment = Segment.create(folder, lower.key(), options);
            var bell = new ProcessBell(met, segment, folder, spare);
            try {
                bell.tell(page, ReadyPlace.ACTIVE);
                agree(met, options, segment);
                bell.find(ReadyPlace.PASSIVE);
                write(met, ByteBuffer.allocate(1));
            } catch (IOException | InternalError e) {
                bell.close();
                throw e;
            } finally {
                Files.deleteIfExists(Segment.file(folder, lower.key()));
            }
            var layout = segment.layout();
            var out = Ring.writer(segment.memory(), spare.plan(layout.forward()));
            announce(out, segment, ReadyPlace.PASSIVE);
            var in = Ring.reader(segment.memory(), layout.backward());
            return bell.link(out, in);
        } catch (IOException e) {
            spare.close();
            met.close();
            throw e;
        } catch (InternalError e) {
            spare.close();
            met.close();
            throw new IOException("the shared memory was cut short while the two ends met", e);
        } finally {
            limit.stop();
        }
    }

    private void agree(StreamPath met, Shm options, Segment segment) throws IOException {
        var sizes = ByteBuffer.allocate(SIZES).order(ByteOrder.LITTLE_ENDIAN);
        write(met, sizes.putInt(options.ring()).putInt(options.largest()).flip());
        complaint(met);
        if (!segment.isProved(lower.key())) {
            throw new IOException(
                    "the peer sees another file of the same name in its folder for shared memory");
        }
    }

    FrameLink take() throws IOException {
        var spare = Spare.take();
        var met = lower.stream();
        var limit = lower.tasks().after(LIMIT, "shm meeting limit", met::close);
        try {
            met.blocking(true);
            var sizes = read(met, SIZES).order(ByteOrder.LITTLE_ENDIAN).flip();
            var segment = map(met, sizes.getInt(), sizes.getInt());
            var layout = segment.layout();
            var out = Ring.writer(segment.memory(), spare.plan(layout.backward()));
            announce(out, segment, ReadyPlace.ACTIVE);
            var bell = new ProcessBell(met, segment, folder, spare);
            try {
                bell.tell(page, ReadyPlace.PASSIVE);
                bell.find(ReadyPlace.ACTIVE);
                write(met, ByteBuffer.allocate(1));
                read(met, 1);
            } catch (IOException | InternalError e) {
                bell.close();
                throw e;
            }
            return bell.link(out, Ring.reader(segment.memory(), layout.forward()));
        } catch (IOException e) {
            spare.close();
            met.close();
            throw e;
        } catch (InternalError e) {
            spare.close();
            met.close();
            throw new IOException("the shared memory was cut short while the two ends met", e);
        } finally {
            limit.stop();
        }
    }

    private Segment map(StreamPath met, int ring, int largest) throws IOException {
        try {
            return Segment.open(folder, lower.key(), Shm.offered(ring, largest));
        } catch (IOException | IllegalArgumentException e) {
            var text = ("cannot map the shared file: " + e).getBytes(StandardCharsets.UTF_8);
            int length = Math.min(text.length, LONGEST_COMPLAINT);
            write(
                    met,
                    ByteBuffer.allocate(1 + length).put((byte) length).put(text, 0, length).flip());
            throw new IOException("cannot map the shared file of the peer: " + e, e);
        }
    }

    private static void complaint(StreamPath met) throws IOException {
        int length = read(met, 1).get(0) & 0xFF;
        if (length > 0) {
            var text = new String(read(met, length).array(), StandardCharsets.UTF_8);
            throw new IOException(
                    "the peer does not see this machine's shared memory: " + Visible.of(text));
        }
    }

    private static void announce(RingWriter out, Segment segment, long at) {
        var bit = new ReadyPlace(segment.memory(), at).find();
        if (bit != null) {
            out.announce(bit);
        }
    }

    private static void write(StreamPath met, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            met.write(bytes);
        }
    }

    private static ByteBuffer read(StreamPath met, int length) throws IOException {
        var bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining()) {
            if (met.read(bytes) < 0) {
                throw new EOFException("the peer went away while shared memory was agreed on");
            }
        }
        return bytes;
    }
}
