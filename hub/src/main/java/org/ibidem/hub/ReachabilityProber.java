package org.ibidem.hub;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.ibidem.accept.ProbePort;
import org.ibidem.accept.ReachabilityProbe;
import org.ibidem.registry.wire.Reply;
import org.ibidem.registry.wire.Request;
import org.ibidem.task.Tasks;
import org.ibidem.topology.ProbeResult;

/// Connects back to those who ask for it, to the address they come from and to no other: so that
/// they learn whether connections from outside arrive. A few times a minute for each address.
final class ReachabilityProber {
    /// For one address within a minute; who wants more is told so.
    static final int MOST_A_MINUTE = 12;

    private static final Duration LIMIT = Duration.ofSeconds(3);
    private static final int MOST_AT_ONCE = 32;

    private final Tasks tasks;
    private final Semaphore atOnce = new Semaphore(MOST_AT_ONCE);
    private final Ration ration;

    ReachabilityProber(Tasks tasks) {
        this.tasks = tasks;
        this.ration = new Ration(MOST_A_MINUTE, tasks);
    }

    /// Probes, and tells what came of it.
    ///
    /// @param from where the connection of who asks comes from
    /// @param then told once; at once, or from a task
    void probe(Request.Probe wish, InetSocketAddress from, Consumer<Reply.Probed> then) {
        var at = new InetSocketAddress(from.getAddress(), wish.port());
        if (!ration.take(at.getAddress())) {
            then.accept(
                    untried(
                            wish,
                            at,
                            "this hub probes an address at most "
                                    + MOST_A_MINUTE
                                    + " times a minute: ask later"));
        } else if (!atOnce.tryAcquire()) {
            then.accept(
                    untried(
                            wish,
                            at,
                            "this hub already probes " + MOST_AT_ONCE + " addresses: ask again"));
        } else {
            tasks.start("probe", () -> dial(wish, at, then));
        }
    }

    private void dial(Request.Probe wish, InetSocketAddress at, Consumer<Reply.Probed> then) {
        try {
            var probe = ReachabilityProbe.at(at, ProbePort.bytes(wish.token()), LIMIT, tasks);
            then.accept(
                    new Reply.Probed(
                            wish.call(), probe.passage(), Request.Arrival.text(at), probe.why()));
        } finally {
            atOnce.release();
        }
    }

    private static Reply.Probed untried(Request.Probe wish, InetSocketAddress at, String why) {
        return new Reply.Probed(wish.call(), ProbeResult.UNTRIED, Request.Arrival.text(at), why);
    }
}
