package org.ibidem.filter.parallel;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How much of what TCP sends it has to send again, by the counters of Linux. They are of all
/// connections of this machine, or network namespace: so nothing is said but where nearly all bytes
/// that leave are those of one link. Where there are no such counters nothing is known.
final class Resent {
    /// What the bytes of one link must be of all that leave, headers and repetitions included.
    private static final double NEARLY_ALL = 0.8;

    /// Of fewer segments, one or two say nothing.
    private static final long TELLING = 300;

    private static final Path FOLDER = Path.of("/proc/self/net");

    private final Path folder;
    private boolean absent;
    private @Nullable Counters last;

    /// @param out segments of TCP that left for the first time
    /// @param again those that left again
    /// @param octets bytes of all packets that left
    record Counters(long out, long again, long octets) {}

    Resent() {
        this(FOLDER);
    }

    /// @param folder with the kernel's files `snmp` and `netstat`
    Resent(Path folder) {
        this.folder = folder;
    }

    /// What share of the segments was sent again since this was asked last; NaN: not known.
    ///
    /// @param bytes that one link has sent since then
    double since(long bytes) {
        var before = last;
        var now = read();
        last = now;
        if (before == null || now == null) {
            return Double.NaN;
        }
        long out = now.out - before.out;
        long again = now.again - before.again;
        long octets = now.octets - before.octets;
        if (out < TELLING || again < 0 || octets <= 0 || bytes < NEARLY_ALL * octets) {
            return Double.NaN;
        }
        return (double) again / (out + again);
    }

    private @Nullable Counters read() {
        if (absent) {
            return null;
        }
        try {
            var tcp = lines("snmp");
            var ip = lines("netstat");
            return new Counters(
                    value(tcp, "Tcp:", "OutSegs"),
                    value(tcp, "Tcp:", "RetransSegs"),
                    value(ip, "IpExt:", "OutOctets"));
        } catch (IOException | RuntimeException _) {
            absent = true; // another system, or nothing that may be read
            return null;
        }
    }

    private List<String> lines(String name) throws IOException {
        var bytes = Files.readAllBytes(folder.resolve(name));
        return new String(bytes, StandardCharsets.US_ASCII).lines().toList();
    }

    /// A row of names, and one of numbers that begins the same.
    private static long value(List<String> lines, String kind, String name) {
        var rows = lines.stream().filter(line -> line.startsWith(kind)).toList();
        var names = List.of(rows.getFirst().split(" ", -1));
        return Long.parseLong(rows.getLast().split(" ", -1)[names.indexOf(name)]);
    }
}
