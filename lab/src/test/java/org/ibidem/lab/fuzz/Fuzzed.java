package org.ibidem.lab.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// In which state of its decoder each target has been fuzzed without harm: a line `NAME DIGEST` for
/// each, to be committed with what changed.
///
/// @param record the file
record Fuzzed(Path record) {
    static final Fuzzed RECORDED = new Fuzzed(Target.KEPT.resolve("fuzzed.txt"));

    /// By the date, so that each has its turn within a week of days.
    private static final int DAILY = 4;

    private static final int DIGEST = 8;

    /// Whose turn it is: those whose decoder has changed since, and four others each day.
    List<Target> turn(List<Target> all, long day) {
        var today =
                Stream.iterate(day * DAILY, each -> each + 1)
                        .limit(Math.min(DAILY, all.size()))
                        .map(each -> all.get((int) Math.floorMod(each, (long) all.size())));
        var turn = new LinkedHashSet<>(today.toList());
        turn.addAll(changed(all));
        return List.copyOf(turn);
    }

    /// Those whose decoder is another than when they were fuzzed, if ever.
    List<Target> changed(List<Target> all) {
        var lines = lines();
        return all.stream()
                .filter(target -> !digest(target).equals(lines.get(target.toString())))
                .toList();
    }

    /// It has been fuzzed as it is.
    void put(Target target) throws IOException {
        var lines = lines();
        lines.put(target.toString(), digest(target));
        var text = new StringBuilder();
        lines.forEach((name, digest) -> text.append(name).append(' ').append(digest).append('\n'));
        Files.writeString(record, text);
    }

    private Map<String, String> lines() {
        var lines = new TreeMap<String, String>();
        try {
            for (var line : Files.exists(record) ? Files.readAllLines(record) : List.<String>of()) {
                int blank = line.indexOf(' ');
                lines.put(line.substring(0, blank), line.substring(blank + 1));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return lines;
    }

    private static String digest(Target target) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            for (var source : target.sources()) {
                digest.update(Files.readAllBytes(source));
            }
            return HexFormat.of().formatHex(digest.digest(), 0, DIGEST);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
