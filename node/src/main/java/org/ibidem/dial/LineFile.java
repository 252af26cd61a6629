package org.ibidem.dial;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.ibidem.arbitration.Clock;
import org.ibidem.config.Settings;
import org.ibidem.config.WholeFile;
import org.jspecify.annotations.Nullable;

/// What nodes of one place have learned of the lines to other sites, kept in a file for those that
/// come after them: the setting `ibidem.lines`. Several may use it; who writes puts what he knows
/// beside what is there, line by line. A file that says nothing, or nonsense, is as good as none.
final class LineFile {
    /// Lines change: what is older says nothing.
    private static final Duration HOLDS = Duration.ofDays(7);

    private static final int MOST = 1024;
    private static final long MOST_BYTES = 1 << 20;
    private static final int MOST_STREAMS = 64;
    private static final String HEAD =
            "# streams, bytes a second, bytes before and after compress,"
                    + " seconds since 1970, where to\n";

    private final @Nullable Path file;
    private final InstantSource clock;

    /// What is kept of one line.
    ///
    /// @param streams over how many connections to send; 0: not known
    /// @param rate bytes a second that came of it
    /// @param raw bytes that were to be compressed
    /// @param wire what was left of them
    /// @param when it was learned
    record Kept(int streams, double rate, long raw, long wire, Instant when) {
        boolean isSound() {
            boolean number = rate >= 0 && rate < Double.POSITIVE_INFINITY;
            return number && streams >= 0 && streams <= MOST_STREAMS && raw >= 0 && wire >= 0;
        }
    }

    /// @param file null: nothing is kept
    LineFile(@Nullable Path file, InstantSource clock) {
        this.file = file;
        this.clock = clock;
    }

    /// As the settings have it.
    static LineFile of(Settings settings) {
        var name = settings.value("ibidem.lines", "").strip();
        return new LineFile(name.isEmpty() ? null : Path.of(name), Clock.TIME_OF_DAY);
    }

    /// Whether anything is kept.
    boolean isThere() {
        return file != null;
    }

    Instant now() {
        return clock.instant();
    }

    /// What is known there, by the name of a line.
    Map<String, Kept> read() {
        var found = new HashMap<String, Kept>();
        var from = file;
        try {
            if (from != null && Files.isRegularFile(from) && Files.size(from) <= MOST_BYTES) {
                for (var line :
                        new String(Files.readAllBytes(from), StandardCharsets.UTF_8)
                                .lines()
                                .toList()) {
                    put(found, line);
                }
            }
        } catch (NoSuchFileException _) {
            // nobody has learned anything yet
        } catch (IOException e) {
            complain("read", e);
        }
        return found;
    }

    private void put(Map<String, Kept> found, String line) {
        var words = line.split(" ", 6);
        if (words.length < 6 || line.startsWith("#")) {
            return;
        }
        try {
            var kept =
                    new Kept(
                            Integer.parseInt(words[0]),
                            Double.parseDouble(words[1]),
                            Long.parseLong(words[2]),
                            Long.parseLong(words[3]),
                            Instant.ofEpochSecond(Long.parseLong(words[4])));
            if (kept.isSound() && holds(kept)) {
                found.put(words[5], kept);
            }
        } catch (RuntimeException _) {
            // nonsense
        }
    }

    private boolean holds(Kept kept) {
        return kept.when.isAfter(now().minus(HOLDS)) && !kept.when.isAfter(now().plus(HOLDS));
    }

    /// Writes this in the place of what was there of the same lines.
    void write(Map<String, Kept> learned) {
        var to = file;
        if (to == null || learned.isEmpty()) {
            return;
        }
        var all = read();
        all.putAll(learned);
        var text =
                all.entrySet().stream()
                        .sorted(
                                Comparator.comparing((Map.Entry<String, Kept> each) ->
                                                each.getValue().when)
                                        .reversed())
                        .limit(MOST)
                        .map(each -> line(each.getKey(), each.getValue()))
                        .collect(Collectors.joining("", HEAD, ""));
        try {
            WholeFile.write(to.toAbsolutePath(), text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            complain("written", e);
        }
    }

    private static String line(String name, Kept kept) {
        return "%d %d %d %d %d %s\n"
                .formatted(
                        kept.streams,
                        Math.round(kept.rate),
                        kept.raw,
                        kept.wire,
                        kept.when.getEpochSecond(),
                        name);
    }

    private void complain(String what, IOException e) {
        System.getLogger(LineFile.class.getName())
                .log(
                        System.Logger.Level.WARNING,
                        "what was learned of lines cannot be {0}: {1}",
                        what,
                        e);
    }
}
