package org.ibidem.satin.trace;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.topology.NodeId;

/// What the workers of one process did, as its [Recorder] has kept it.
///
/// @param origin the process
/// @param workers its workers, those alone that have begun
public record Recording(Origin origin, List<Timeline> workers) {
    /// Reads a file, whose process has ended.
    ///
    /// @throws IOException when there is none, or it is no such file
    public static Recording read(Path file) throws IOException {
        try (var channel = FileChannel.open(file)) {
            long size = channel.size();
            if (size < Recorder.HEAD) {
                throw none(file, size + " bytes are too few");
            }
            var memory = channel.map(MapMode.READ_ONLY, 0, size, Arena.ofAuto());
            int tracks = memory.get(ValueLayout.JAVA_INT, Recorder.TRACKS);
            int site = memory.get(ValueLayout.JAVA_INT, Recorder.SITE_BYTES);
            if (memory.get(ValueLayout.JAVA_LONG, 0) != Recorder.MAGIC) {
                throw none(file, "it does not begin as one");
            }
            if (size != Recorder.HEAD + tracks * Track.BYTES
                    || site < 0
                    || site > Recorder.HEAD - Recorder.SITE) {
                throw none(file, "its head and its size do not go together");
            }
            return of(memory, tracks, site);
        }
    }

    private static IOException none(Path file, String why) {
        return new IOException(file + " is no trace of a process: " + why);
    }

    private static Recording of(MemorySegment memory, int tracks, int siteBytes) {
        var site = memory.asSlice(Recorder.SITE, siteBytes).toArray(ValueLayout.JAVA_BYTE);
        var origin =
                new Origin(
                        memory.get(ValueLayout.JAVA_INT, Recorder.RANK),
                        new NodeId(
                                memory.get(ValueLayout.JAVA_LONG, Recorder.ID),
                                memory.get(ValueLayout.JAVA_LONG, Recorder.ID + Long.BYTES)),
                        new String(site, StandardCharsets.UTF_8));
        long shift =
                memory.get(ValueLayout.JAVA_LONG, Recorder.NOW)
                        - memory.get(ValueLayout.JAVA_LONG, Recorder.NANO_TIME);
        var workers = new ArrayList<Timeline>();
        for (int i = 0; i < tracks; i++) {
            var track = memory.asSlice(Recorder.HEAD + i * Track.BYTES, Track.BYTES);
            workers.add(new Timeline(track, shift));
        }
        workers.removeIf(worker -> !worker.isUsed());
        return new Recording(origin, workers);
    }
}
