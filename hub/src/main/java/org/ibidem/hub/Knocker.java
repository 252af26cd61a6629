package org.ibidem.hub;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.ibidem.link.Tasks;
import org.ibidem.registry.wire.Reply;
import org.ibidem.registry.wire.Request;
import org.ibidem.service.Door;
import org.ibidem.service.Knock;
import org.ibidem.topology.Passage;

/// Connects back to those who ask for it, to the address they come from and to no other: so that
/// they learn whether connections from outside arrive. A few times a minute for each address.
final class Knocker {
    /// For one address within a minute; who wants more is told so.
    static final int MOST_A_MINUTE = 12;

    private static final Duration LIMIT = Duration.ofSeconds(3);
    private static final int MOST_AT_ONCE = 32;

    private final Tasks tasks;
    private final Semaphore atOnce = new Semaphore(MOST_AT_ONCE);
    private final Ration ration;

    Knocker(Tasks tasks) {
        this.tasks = tasks;
        this.ration = new Ration(MOST_A_MINUTE, tasks);
    }

    /// Knocks, and tells what came of it.
    ///
    /// @param from where the connection of who asks comes from
    /// @param then told once; at once, or from a task
    void knock(Request.Knock wish, InetSocketAddress from, Consumer<Reply.Knocked> then) {
        var at = new InetSocketAddress(from.getAddress(), wish.port());
        if (!ration.take(at.getAddress())) {
            then.accept(
                    untried(
                            wish,
                            at,
                            "this hub knocks at one address at most "
                                    + MOST_A_MINUTE
                                    + " times a minute: ask later"));
        } else if (!atOnce.tryAcquire()) {
            then.accept(
                    untried(
                            wish,
                            at,
                            "this hub knocks at " + MOST_AT_ONCE + " doors already: ask again"));
        } else {
            tasks.start("knock", () -> dial(wish, at, then));
        }
    }

    private void dial(Request.Knock wish, InetSocketAddress at, Consumer<Reply.Knocked> then) {
        try {
            var knock = Knock.at(at, Door.bytes(wish.token()), LIMIT, tasks);
            then.accept(
                    new Reply.Knocked(
                            wish.call(), knock.passage(), Request.Arrival.text(at), knock.why()));
        } finally {
            atOnce.release();
        }
    }

    private static Reply.Knocked untried(Request.Knock wish, InetSocketAddress at, String why) {
        return new Reply.Knocked(wish.call(), Passage.UNTRIED, Request.Arrival.text(at), why);
    }
}
