package org.ibidem.satin.trace;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.ibidem.topology.NodeId;

/// Writes what processes have recorded in the Trace Event Format, JSON that Perfetto and
/// `chrome://tracing` show: a process for each rank, a thread for each worker, and for each event
/// its begin and length in microseconds since the first one. What was dropped is said at the end.
public final class TraceEvents {
    private final Appendable out;
    private final Map<NodeId, Origin> origins;
    private final long first;
    private String separator = "";

    private TraceEvents(Appendable out, List<Recording> recordings) {
        this.out = out;
        this.origins =
                recordings.stream()
                        .map(Recording::origin)
                        .collect(
                                Collectors.toMap(Origin::id, Function.identity(), (one, _) -> one));
        this.first =
                recordings.stream()
                        .flatMap(recording -> recording.workers().stream())
                        .mapToLong(Timeline::began)
                        .min()
                        .orElse(0);
    }

    /// Writes all of them.
    public static void write(List<Recording> recordings, Appendable out) throws IOException {
        new TraceEvents(out, recordings).write(recordings);
    }

    private void write(List<Recording> recordings) throws IOException {
        out.append("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[");
        long dropped = 0;
        for (var recording : recordings) {
            int rank = recording.origin().rank();
            name("process_name", rank, 0, "rank " + rank + "@" + recording.origin().site());
            for (int i = 0; i < recording.workers().size(); i++) {
                var worker = recording.workers().get(i);
                name("thread_name", rank, i, worker.name());
                write(worker, rank, i);
                dropped += worker.dropped();
            }
        }
        out.append("\n],\"otherData\":{\"dropped\":\"" + dropped + "\"}}\n");
    }

    private void name(String what, int rank, int worker, String name) throws IOException {
        next(what, "M", rank, worker);
        out.append(",\"args\":{\"name\":\"" + escaped(name) + "\"}}");
    }

    private void next(String name, String phase, int rank, int worker) throws IOException {
        out.append(separator).append("\n{\"name\":\"" + name + "\",\"ph\":\"" + phase + "\"");
        out.append(",\"pid\":" + rank + ",\"tid\":" + worker);
        separator = ",";
    }

    private void write(Timeline worker, int rank, int number) throws IOException {
        long ended = worker.ended();
        for (var event : worker.events()) {
            long to = event.to() == 0 ? Math.max(ended, event.from()) : event.to();
            next(
                    switch (event.kind()) {
                        case JOB -> "stolen job";
                        case SEEK -> "seeks work";
                        case WRITE -> "writes";
                        case READ -> "writes of others";
                    },
                    "X",
                    rank,
                    number);
            out.append(",\"ts\":" + micros(event.from() - first));
            out.append(",\"dur\":" + micros(to - event.from()));
            out.append(",\"args\":{" + arguments(event) + "}}");
        }
    }

    private String arguments(Event event) {
        return switch (event.kind()) {
            case JOB -> {
                var victim = origins.get(event.who());
                yield "\"from\":\""
                        + (victim == null ? event.who().brief() : "rank " + victim.rank())
                        + "\",\"stamp\":"
                        + event.first()
                        + ",\"place\":\""
                        + Long.toHexString(event.second())
                        + "\",\"done\":"
                        + event.done();
            }
            case SEEK -> "\"rested\":" + micros(event.first());
            case WRITE, READ -> "\"writes\":" + event.first();
        };
    }

    private static String micros(long nanos) {
        return String.format(Locale.ROOT, "%d.%03d", nanos / 1000, nanos % 1000);
    }

    /// As text in JSON (RFC 8259).
    private static String escaped(String text) {
        var out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }
}
