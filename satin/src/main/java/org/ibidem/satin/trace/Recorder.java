package org.ibidem.satin.trace;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ibidem.IbidemException;

/// The file in which a process keeps the tracks of its workers. It is mapped, so what is in it
/// stays when the process is killed; and it is written whole first, so that a full disk is found
/// out then, and never while the program runs. In the machine's byte order:
///
/// ```
///  0       8      12      16     24          32     40    56            60
/// | magic | rank | tracks | now | nanoTime  | 0    | id  | bytes u32   | site, UTF-8 | 0 to 512
/// ```
///
/// then its [tracks][Track], a megabyte each. `now` is in nanoseconds since 1970, and read together
/// with `nanoTime`.
public final class Recorder {
    static final long MAGIC = 0x3145_4341_5254_5349L; // "ISTRACE1" where the last byte comes first
    static final int HEAD = 512;
    static final int RANK = 8;
    static final int TRACKS = 12;
    static final int NOW = 16;
    static final int NANO_TIME = 24;
    static final int ID = 40;
    static final int SITE_BYTES = 56;
    static final int SITE = 60;

    private static final int BLOCK = 1 << 16;

    private final List<Track> tracks;

    /// Whose turn it is, by the remainder.
    int next;

    private Recorder(List<Track> tracks) {
        this.tracks = tracks;
    }

    /// Makes a file.
    ///
    /// @param workers of the process
    /// @throws IbidemException when it cannot be made, or there is no room for it
    public static Recorder create(Path file, Origin origin, int workers) {
        try (var channel =
                FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            long size = HEAD + workers * Track.BYTES;
            var zeros = ByteBuffer.allocate(BLOCK);
            for (long left = size; left > 0; ) {
                zeros.clear().limit((int) Math.min(left, BLOCK));
                left -= channel.write(zeros);
            }
            var memory = channel.map(MapMode.READ_WRITE, 0, size, Arena.ofAuto());
            writeHead(memory, origin, workers);
            var tracks = new ArrayList<Track>();
            for (int i = 0; i < workers; i++) {
                tracks.add(new Track(memory.asSlice(HEAD + i * Track.BYTES, Track.BYTES)));
            }
            return new Recorder(tracks);
        } catch (IOException e) {
            throw new IbidemException(
                    "cannot keep a trace in "
                            + file
                            + ": "
                            + e
                            + "; make room, or name another file in ibidem.satin.trace",
                    e);
        }
    }

    private static void writeHead(MemorySegment memory, Origin origin, int workers) {
        var site = origin.site().getBytes(StandardCharsets.UTF_8);
        site = Arrays.copyOf(site, Math.min(site.length, HEAD - SITE));
        var now = Instant.now();
        memory.set(ValueLayout.JAVA_LONG, NANO_TIME, System.nanoTime());
        memory.set(
                ValueLayout.JAVA_LONG,
                NOW,
                TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano());
        memory.set(ValueLayout.JAVA_INT, RANK, origin.rank());
        memory.set(ValueLayout.JAVA_INT, TRACKS, workers);
        memory.set(ValueLayout.JAVA_LONG, ID, origin.id().high());
        memory.set(ValueLayout.JAVA_LONG, ID + Long.BYTES, origin.id().low());
        memory.set(ValueLayout.JAVA_INT, SITE_BYTES, site.length);
        MemorySegment.copy(site, 0, memory, ValueLayout.JAVA_BYTE, SITE, site.length);
        memory.set(ValueLayout.JAVA_LONG, 0, MAGIC); // Last: what has it is whole.
    }

    /// A track for a worker; when all have had one, the first again, whose worker has ended.
    public synchronized Track track() {
        return tracks.get(Math.floorMod(next++, tracks.size()));
    }
}
