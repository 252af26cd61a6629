package org.ibidem.cli.run;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// What the processes of an MPI program have called last. Each keeps it in a file of its own
/// (`mpi.LastCall` has the format), where it is still to be read when the process was killed.
final class LastCalls {
    private static final int MOST_LINES = 16;
    private static final int PEER = 32;
    private static final int OF = 48;
    private static final int CALL = 56;
    private static final int ANY = 0xFFFF;
    private static final int NOBODY = 0xFFFE;
    private static final int ANY_TAG = -2;

    private final Path folder;

    /// @param folder where the files are
    LastCalls(Path folder) {
        this.folder = folder;
    }

    /// The option by which a process keeps its own.
    String option(int rank) {
        return "-Dibidem.mpj.last=" + file(rank);
    }

    private Path file(int rank) {
        return folder.resolve("last-" + rank);
    }

    /// Lines for people: of each process, those that have called the same together.
    List<String> lines(int first, int count) {
        SortedMap<Integer, String> all = new TreeMap<>();
        IntStream.range(first, first + count).forEach(rank -> all.put(rank, of(rank)));
        var lines = new ArrayList<String>();
        for (var said : all.values().stream().distinct().toList()) {
            var ranks = all.keySet().stream().filter(rank -> said.equals(all.get(rank))).toList();
            lines.add("last call of " + ranks(ranks) + ": " + said);
        }
        int more = lines.size() - MOST_LINES;
        return more <= 1
                ? lines
                : Stream.concat(
                                lines.stream().limit(MOST_LINES),
                                Stream.of("and " + more + " more such lines are left out"))
                        .toList();
    }

    private static String ranks(List<Integer> all) {
        return all.size() == 1
                ? "rank " + all.getFirst()
                : "ranks " + all.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    private String of(int rank) {
        try {
            var bytes = ByteBuffer.wrap(Files.readAllBytes(file(rank)));
            long word = bytes.order(ByteOrder.nativeOrder()).getLong();
            var names = StandardCharsets.US_ASCII.decode(bytes).toString().lines().toList();
            return word == 0 ? "none" : said(word, names);
        } catch (IOException | RuntimeException _) {
            return "none, as it has not called MPI.Init"; // or its disk was full: there is no file
        }
    }

    private static String said(long word, List<String> names) {
        int of = (int) (word >>> OF) & 0xFF;
        int call = (int) (word >>> CALL) & 0x3F;
        var what = (of == 0 ? "" : names.get(call) + " for ") + names.get(of == 0 ? call : of);
        var end = word < 0 ? "over" : (word & 1L << 62) != 0 ? "failed" : "under way";
        return withPeer(what, (int) (word >>> PEER) & 0xFFFF, (int) word) + " (" + end + ")";
    }

    private static String withPeer(String what, int peer, int tag) {
        if (!what.endsWith(" rank")) {
            return what;
        }
        var named =
                switch (peer) {
                    case ANY -> what.replaceFirst("rank$", "any rank");
                    case NOBODY -> what.replaceFirst("rank$", "nobody");
                    default -> what + ' ' + peer;
                };
        return named + (tag >= 0 ? " with tag " + tag : tag == ANY_TAG ? " with any tag" : "");
    }
}
