package mpi;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.ibidem.mpj.device.Begun;
import org.ibidem.mpj.device.Device;
import org.ibidem.mpj.device.DeviceFailed;
import org.ibidem.mpj.device.Envelope;
import org.ibidem.mpj.device.Request;
import org.jspecify.annotations.Nullable;

/// Names blocking sends that have waited for long for a receive, while a message of their receiver
/// waits here: two that send to each other before either receives never end. There is a thread only
/// while a send waits.
final class Watch {
    private static final System.Logger LOG = System.getLogger(Watch.class.getName());
    private static final long SECONDS = 10;

    private final long limit;
    private final Consumer<String> say;
    private final List<Waiting> all = new ArrayList<>();
    private @Nullable Thread watcher;

    /// A send that waits.
    private static final class Waiting {
        private final Comm comm;
        private final String call;
        private final Args args;
        private final long since = System.nanoTime();
        private boolean said;

        Waiting(Comm comm, String call, Args args) {
            this.comm = comm;
            this.call = call;
            this.args = args;
        }
    }

    /// For programs: after ten seconds, into the log.
    Watch() {
        this(TimeUnit.SECONDS.toNanos(SECONDS), text -> LOG.log(System.Logger.Level.WARNING, text));
    }

    /// @param limit after how long, in nanoseconds
    /// @param say where to
    Watch(long limit, Consumer<String> say) {
        this.limit = limit;
        this.say = say;
    }

    /// Waits for a send that is not complete.
    void await(Request request, Comm comm, String call, Args args) {
        Waiting waiting = new Waiting(comm, call, args);
        begin(waiting);
        try {
            Envelope _ = Begun.await(request);
        } finally {
            end(waiting);
        }
    }

    private synchronized void begin(Waiting waiting) {
        all.add(waiting);
        if (watcher == null) {
            watcher = Thread.ofPlatform().daemon().name("mpi watch").start(this::watch);
        }
    }

    private synchronized void end(Waiting waiting) {
        all.remove(waiting);
    }

    /// What waits, or nothing: then this thread ends, and the next send starts another.
    private synchronized List<Waiting> waiting() {
        if (all.isEmpty()) {
            watcher = null;
        }
        return List.copyOf(all);
    }

    private void watch() {
        LockSupport.parkNanos(limit);
        for (List<Waiting> now = waiting(); !now.isEmpty(); now = waiting()) {
            for (Waiting each : now) {
                if (!each.said && System.nanoTime() - each.since >= limit) {
                    look(each);
                }
            }
            LockSupport.parkNanos(limit / 4);
        }
    }

    private void look(Waiting each) {
        try {
            int to = each.args.peer();
            Comm comm = each.comm;
            Envelope found = comm.device().iprobe(comm.peer(to), Device.ANY, comm.context());
            if (found != null) {
                each.said = true;
                say.accept(
                        each.call
                                + " to rank "
                                + to
                                + " with tag "
                                + each.args.tag()
                                + " ("
                                + each.args.count()
                                + " elements) has waited for its receive for "
                                + TimeUnit.NANOSECONDS.toSeconds(limit)
                                + " s, and a message of rank "
                                + to
                                + " with tag "
                                + found.tag()
                                + " ("
                                + found.size()
                                + " bytes) waits here: if both ranks send before they receive, neither goes on; use Sendrecv, or Irecv before Send");
            }
        } catch (DeviceFailed | org.ibidem.mpj.Fault _) {
            each.said = true; // who waits hears of it
        }
    }
}
