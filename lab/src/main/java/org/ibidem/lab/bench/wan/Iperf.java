package org.ibidem.lab.bench.wan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.ibidem.lab.net.Isolation;
import org.ibidem.lab.net.LabFailed;
import org.ibidem.lab.net.Machine;

/// What `iperf3` gets over a line, by so many plain connections: a way named as its command is,
/// `iperf3 -P 8`. It sends data of its own, which are never made smaller.
record Iperf(Machine near, Machine far) {
    /// With what a way of it begins.
    static final String NAME = "iperf3";

    private static final Duration LIMIT = Duration.ofMinutes(3);

    /// Of one connection, or of their sum, which comes last.
    private static final Pattern RECEIVED = Pattern.compile("([0-9.]+) KBytes/sec +receiver");

    private static final double KILO = 1024;

    /// Whether it is installed.
    static boolean isThere() {
        return Isolation.has(NAME);
    }

    /// Bytes a second that arrive, for so many seconds behind so many that do not count.
    ///
    /// @param way the name with its options
    double rate(String way, int apart, int seconds) {
        try (var server = far.start(NAME, "-s", "-1", "--forceflush")) {
            server.next(line -> line.contains("listening"), LIMIT);
            var command = new ArrayList<>(List.of(way.split(" ", -1)));
            command.addAll(List.of("-c", far.address(), "-f", "K"));
            command.addAll(List.of("-O", "" + apart, "-t", "" + seconds));
            return received(near.run(command.toArray(String[]::new)));
        }
    }

    /// What it says in the end.
    static double received(List<String> lines) {
        for (var line : lines.reversed()) {
            var found = RECEIVED.matcher(line);
            if (found.find()) {
                return Double.parseDouble(found.group(1)) * KILO;
            }
        }
        throw new LabFailed("iperf3 says not what has come: " + String.join("\n", lines));
    }
}
