package org.ibidem.circuit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.ibidem.arbitration.WaitInterrupted;
import org.ibidem.channel.InChannel;
import org.ibidem.link.LinkBroken;
import org.ibidem.station.NodeRuntime;

/// Ends the links of a circuit: one that has no room for its end does not hold up the others.
///
/// @param name the circuit's
/// @param links away from here
/// @param limit for all together
record CircuitEnd(NodeRuntime runtime, String name, List<Outward> links, Duration limit) {
    private static final Duration LATER_LIMIT = Duration.ofSeconds(2);
    private static final String TAKEN = "the circuit was closed with its turn in another hand";

    /// Does so.
    ///
    /// @param inTurn whether the circuit's turn is in hand: otherwise they are given up
    /// @return whether all that was sent has arrived
    boolean end(boolean inTurn) {
        long deadline = runtime.tasks().deadline(limit);
        var later = new ArrayList<Outward>();
        for (var link : links) {
            if (!inTurn) {
                giveUp(link, TAKEN);
            } else if (!endsAtOnce(link)) {
                later.add(link);
            }
        }
        await(later, deadline);
        boolean arrived = inTurn;
        for (var link : links) {
            arrived = link.channel.drain(left(deadline)) && arrived;
        }
        return arrived;
    }

    private void await(List<Outward> later, long deadline) {
        var open = new CountDownLatch(later.size());
        for (var link : later) {
            runtime.tasks()
                    .attend(
                            name + ": end a link",
                            () -> {
                                try {
                                    of(link, left(deadline));
                                } finally {
                                    open.countDown();
                                }
                            });
        }
        try {
            boolean _ = open.await(left(deadline).toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // they end without being waited for
        }
    }

    private Duration left(long deadline) {
        return Duration.ofNanos(Math.max(1, deadline - runtime.tasks().nanoTime()));
    }

    private static boolean endsAtOnce(Outward link) {
        try {
            if (!link.saysEnd()) {
                return false;
            }
            link.channel.ended();
            link.channel.detached();
        } catch (LinkBroken e) {
            broken(link, String.valueOf(e.getMessage()));
        } catch (InternalError e) {
            broken(link, String.valueOf(LinkBroken.cut(e).getMessage()));
        }
        return true;
    }

    /// Ends one by a task, which waits for room.
    static void later(NodeRuntime runtime, Outward link) {
        try {
            runtime.tasks().start("end a link of a circuit", () -> of(link, LATER_LIMIT));
        } catch (IllegalStateException _) {
            giveUp(link, "the node was closed");
        }
    }

    /// Ends one, waiting for room.
    private static void of(Outward link, Duration limit) {
        try {
            if (link.saysEnd(limit)) {
                link.channel.ended();
                link.channel.detached();
            } else {
                giveUp(link, "the circuit was closed, and its reader made no room for that");
            }
        } catch (WaitInterrupted e) {
            giveUp(link, String.valueOf(e.getMessage()));
        } catch (LinkBroken e) {
            broken(link, String.valueOf(e.getMessage()));
        } catch (InternalError e) {
            broken(link, String.valueOf(LinkBroken.cut(e).getMessage()));
        }
    }

    /// Ends one towards here.
    static void leave(InChannel link, boolean inTurn) {
        if (inTurn) {
            link.refuseRest("the circuit was closed");
        } else { // somebody may be reading
            link.giveUp(TAKEN);
        }
    }

    private static void giveUp(Outward link, String why) {
        link.channel.giveUp(why);
        link.channel.detached();
    }

    private static void broken(Outward link, String why) {
        link.channel.broken(why);
        link.channel.detached();
    }
}
