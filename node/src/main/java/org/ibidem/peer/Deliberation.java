package org.ibidem.peer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.ControlWriter;
import org.ibidem.topology.NodeId;

/// How a connection to a peer came about, or did not: every method tried, in order, when, how long
/// it took and what came of it.
///
/// @param peer to whom
/// @param purpose what for
/// @param tried in the order in which they were begun
///
///   ```
///   in answers: count u16 | count × ( method text | took u32, microseconds | connected u8 | why text )
///   ```
public record Deliberation(NodeId peer, Purpose purpose, List<Tried> tried) {
    /// Keeps its own copy.
    public Deliberation {
        tried = List.copyOf(tried);
    }

    /// What became of one method.
    ///
    /// @param method its name; or the driver's
    /// @param began after the first
    /// @param took until it had connected, or had failed, or was not needed any more
    /// @param connected whether it made the connection
    /// @param why the reason, for people
    public record Tried(
            String method, Duration began, Duration took, boolean connected, String why) {
        /// Most of them in one message.
        public static final int MOST = 32;

        private static final int LONGEST_NAME = 32;
        private static final int LONGEST_WHY = 900;
        private static final int MOST_BYTES = 32 << 10;

        /// As the answer of a peer that was asked to try.
        public static byte[] write(List<Tried> all) {
            var out = new ControlWriter(MOST_BYTES).count(all.size(), MOST);
            for (var one : all) {
                out.text(one.method(), LONGEST_NAME)
                        .i32((int) (one.took().toNanos() / 1_000))
                        .u8(one.connected() ? 1 : 0)
                        .text(ControlWriter.shortened(one.why(), LONGEST_WHY), LONGEST_WHY);
            }
            return out.toBytes();
        }

        /// Reads what [#write] wrote.
        ///
        /// @throws org.ibidem.buffer.Malformed when that is not what came
        public static List<Tried> read(ControlReader in) {
            var tried = new ArrayList<Tried>();
            for (int left = in.count("methods", MOST); left > 0; left--) {
                var method = in.name("method", LONGEST_NAME);
                var took = Duration.ofNanos(Integer.toUnsignedLong(in.i32("took")) * 1_000);
                boolean connected = in.u8("connected") == 1;
                var why = in.reason("why", LONGEST_WHY);
                tried.add(new Tried(method, Duration.ZERO, took, connected, why));
            }
            in.end();
            return tried;
        }

        @Override
        public String toString() {
            return method + ": " + why;
        }
    }

    /// The method that made the connection, or an empty text.
    public String method() {
        return tried.stream().filter(Tried::connected).map(Tried::method).findAny().orElse("");
    }

    /// All reasons in one line.
    public String reasons() {
        return tried.stream().map(Tried::toString).collect(Collectors.joining("; "));
    }
}
