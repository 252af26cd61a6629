package org.ibidem.cli.run;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import javax.imageio.ImageIO;
import org.ibidem.config.WholeFile;
import org.ibidem.satin.trace.Chart;
import org.ibidem.satin.trace.Recording;
import org.ibidem.satin.trace.TraceEvents;

/// What the workers of a job do, as its processes keep it in files of their own: at the end one
/// text and one picture are made of them.
final class Tracing {
    private static final String PICTURE = ".png";

    private final Path text;
    private final Path picture;
    private final Path folder;
    private final Map<Integer, Path> files = new TreeMap<>();
    private boolean ended;
    private boolean written;

    private Tracing(Path text, Path picture, Path folder) {
        this.text = text;
        this.picture = picture;
        this.folder = folder;
    }

    /// Finds out before the job, not after it, whether files can be written there.
    ///
    /// @throws CannotRun when they cannot
    static Tracing into(Path text, Scratch scratch) {
        var name = String.valueOf(text.getFileName());
        if (name.toLowerCase(Locale.ROOT).endsWith(PICTURE)) {
            throw new CannotRun(
                    "--trace names the text, and its picture is put beside it: not "
                            + text
                            + ", but such as "
                            + text.resolveSibling(bare(name) + ".json"));
        }
        var into = text.toAbsolutePath().getParent();
        var picture = text.resolveSibling(bare(name) + PICTURE);
        if (into == null || !Files.isDirectory(into)) {
            throw cannot(text, "there is no folder " + into);
        }
        for (var file : List.of(text, picture)) {
            if (Files.isDirectory(file)) {
                throw cannot(file, "it is a folder");
            }
        }
        try {
            Files.delete(Files.createTempFile(into, ".trace", ".part"));
        } catch (IOException e) {
            throw cannot(text, e.toString());
        }
        return new Tracing(text, picture, scratch.folder());
    }

    private static CannotRun cannot(Path file, String why) {
        return new CannotRun(
                "cannot write the trace " + file + ": " + why + "; name another file in --trace");
    }

    private static String bare(String name) {
        int dot = name.lastIndexOf('.');
        return dot > 0 ? name.substring(0, dot) : name;
    }

    /// Where a process keeps what its workers do.
    synchronized Path file(int rank) {
        return files.computeIfAbsent(rank, _ -> folder.resolve("rank-" + rank + ".trace"));
    }

    /// Writes both, when all processes have ended; the first time it is called.
    ///
    /// @param title of the picture
    /// @return whether that went well; else what went wrong was said
    synchronized boolean end(String title, Output output) {
        if (!ended) {
            ended = true;
            written = write(title, output);
        }
        return written;
    }

    private boolean write(String title, Output output) {
        var recordings = new ArrayList<Recording>();
        files.forEach((rank, file) -> {
            try {
                recordings.add(Recording.read(file));
            } catch (IOException e) {
                output.say("rank " + rank + " has left no trace: " + e);
            }
        });
        if (recordings.isEmpty()) {
            output.say("nothing was traced, so " + text + " is not written");
            return false;
        }
        try {
            write(recordings);
            var chart = Chart.of(recordings, Timelines.COLUMNS);
            draw(new Timelines(title, chart));
            output.say(
                    "trace of "
                            + chart.rows().size()
                            + " workers, "
                            + chart.steals()
                            + " steals, "
                            + chart.dropped()
                            + " events dropped: "
                            + text
                            + ", picture "
                            + picture);
            return true;
        } catch (IOException e) {
            output.say("the trace is not written: " + e);
            return false;
        }
    }

    /// It may be large, so it goes to its file as it is made.
    private void write(List<Recording> recordings) throws IOException {
        var part = text.resolveSibling("." + UUID.randomUUID() + ".part");
        try {
            try (var out = Files.newBufferedWriter(part, StandardOpenOption.CREATE_NEW)) {
                TraceEvents.write(recordings, out);
            }
            Files.move(part, text, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private void draw(Timelines timelines) throws IOException {
        System.setProperty("java.awt.headless", "true"); // No display is needed, or looked for.
        ImageIO.setUseCache(false); // with which it could not write while this JVM ends
        var bytes = new ByteArrayOutputStream();
        ImageIO.write(timelines.draw(), "png", bytes);
        WholeFile.write(picture, bytes.toByteArray());
    }
}
