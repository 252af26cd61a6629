package org.ibidem.satin.trace;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.ibidem.topology.NodeId;

/// What a picture of recordings shows: in columns of equal time, how much of it each worker spent
/// on what.
///
/// @param nanos from its left edge to its right one
/// @param rows one for each worker, by rank
/// @param dropped events of which is known only that there were more
public record Chart(long nanos, List<Row> rows, long dropped) {
    /// What a worker does.
    public enum State {
        /// The program.
        COMPUTING,

        /// What it or others write to shared objects.
        WRITING,

        /// It has asked somebody for a job.
        STEALING,

        /// Nothing: nobody had a job.
        IDLE
    }

    /// One worker.
    ///
    /// @param of its process
    /// @param worker its name
    /// @param shares by column, how much of the column's time, 0 to 1; all 0 where the worker was
    ///   not there, or what it did was dropped
    /// @param near by column, how many jobs it has stolen within its site
    /// @param far of other sites, and of processes that have recorded nothing
    public record Row(Origin of, String worker, Map<State, float[]> shares, int[] near, int[] far) {
        /// Which share of its time it has spent so.
        public double share(State state) {
            double all = 0;
            double so = 0;
            for (var each : shares.entrySet()) {
                for (float share : each.getValue()) {
                    all += share;
                    so += each.getKey() == state ? share : 0;
                }
            }
            return all == 0 ? 0 : so / all;
        }

        /// How many jobs it has stolen, that are known of.
        public long steals() {
            long all = 0;
            for (int i = 0; i < near.length; i++) {
                all += near[i] + far[i];
            }
            return all;
        }
    }

    /// Of some processes.
    ///
    /// @param columns how many
    public static Chart of(List<Recording> recordings, int columns) {
        var origins =
                recordings.stream()
                        .map(Recording::origin)
                        .collect(
                                Collectors.toMap(Origin::id, Function.identity(), (one, _) -> one));
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        long dropped = 0;
        for (var recording : recordings) {
            for (var worker : recording.workers()) {
                first = Math.min(first, worker.began());
                last = Math.max(last, worker.ended());
                dropped += worker.dropped();
            }
        }
        long nanos = Math.max(columns, last - first); // A column is no less than a nanosecond.
        var rows = new ArrayList<Row>();
        for (var recording : recordings) {
            for (var worker : recording.workers()) {
                rows.add(
                        new Columns(first, nanos, columns)
                                .row(recording.origin(), worker, origins));
            }
        }
        return new Chart(nanos, rows, dropped);
    }

    /// Jobs that were stolen.
    public long steals() {
        return rows.stream().mapToLong(Row::steals).sum();
    }

    /// The columns of one worker, in the making.
    private static final class Columns {
        private final long first;
        private final double width;
        private final int columns;
        private final double[] life;
        private final Map<State, double[]> rest = new EnumMap<>(State.class);

        Columns(long first, long nanos, int columns) {
            this.first = first;
            this.columns = columns;
            this.width = (double) nanos / columns;
            this.life = new double[columns];
            for (var state : State.values()) {
                rest.put(state, new double[columns]);
            }
        }

        Row row(Origin of, Timeline worker, Map<NodeId, Origin> origins) {
            var near = new int[columns];
            var far = new int[columns];
            var events = worker.events();
            boolean whole = worker.dropped() == 0 || events.isEmpty();
            add(life, whole ? worker.began() : events.getFirst().from(), worker.ended(), 1);
            for (var event : events) {
                long from = event.from();
                switch (event.kind()) {
                    case JOB -> {
                        var victim = origins.get(event.who());
                        boolean here = victim != null && victim.site().equals(of.site());
                        (here ? near : far)[column(from)]++;
                    }
                    case SEEK -> {
                        long all = Math.max(1, event.to() - from);
                        double rested = (double) event.first() / all;
                        add(State.IDLE, from, event.to(), rested);
                        add(State.STEALING, from, event.to(), 1 - rested);
                    }
                    case WRITE, READ -> add(State.WRITING, from, event.to(), 1);
                }
            }
            return new Row(of, worker.name(), shares(), near, far);
        }

        private void add(State state, long from, long until, double share) {
            add(Objects.requireNonNull(rest.get(state)), from, until, share);
        }

        private int column(long time) {
            return Math.clamp((long) ((time - first) / width), 0, columns - 1);
        }

        /// Spreads a while over the columns that it touches.
        private void add(double[] to, long from, long until, double share) {
            int end = column(until);
            for (int column = column(from); column <= end; column++) {
                double left = column * width;
                double begin = Math.max((double) (from - first), left);
                double over = Math.min((double) (until - first), left + width);
                to[column] += Math.max(0, over - begin) * share;
            }
        }

        /// Computing is what is left.
        private Map<State, float[]> shares() {
            var shares = new EnumMap<State, float[]>(State.class);
            var left = new double[columns];
            Arrays.setAll(left, column -> Math.min(1, life[column] / width));
            for (var state : List.of(State.IDLE, State.STEALING, State.WRITING)) {
                var spent = Objects.requireNonNull(rest.get(state));
                var share = new float[columns];
                for (int column = 0; column < columns; column++) {
                    share[column] = (float) Math.min(left[column], spent[column] / width);
                    left[column] -= share[column];
                }
                shares.put(state, share);
            }
            var computing = new float[columns];
            for (int column = 0; column < columns; column++) {
                computing[column] = (float) Math.max(0, left[column]);
            }
            shares.put(State.COMPUTING, computing);
            return shares;
        }
    }
}
