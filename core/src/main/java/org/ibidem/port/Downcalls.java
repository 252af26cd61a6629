package org.ibidem.port;

import java.util.ArrayDeque;
import java.util.List;

/// What a receive port has to say of its connections until the program asks: to its downcalls where
/// the type has them, else by an exception of the next receive.
final class Downcalls {
    private static final int MOST_KEPT = 4096;
    private static final System.Logger LOG = System.getLogger(Downcalls.class.getName());

    private final ReceivePort port;
    private final ArrayDeque<Lost<Origin>> lost = new ArrayDeque<>();
    private final ArrayDeque<Origin> fresh = new ArrayDeque<>();
    private final ArrayDeque<ConnectionLost> untold = new ArrayDeque<>();

    Downcalls(ReceivePort port) {
        this.port = port;
    }

    /// Whether the program asks.
    boolean wanted() {
        return port.type().has(Capability.CONNECTION_DOWNCALLS);
    }

    synchronized void made(Origin origin) {
        keep(fresh, origin);
    }

    /// A connection is over; false: the program does not ask for that. Whoever asks sees both or
    /// neither: that it is over, and that it is gone.
    synchronized boolean lost(Lost<Origin> loss, Runnable gone) {
        if (!wanted()) {
            return false;
        }
        keep(lost, loss);
        gone.run();
        return true;
    }

    synchronized void throwLater(ConnectionLost thrown) {
        keep(untold, thrown);
    }

    private <T> void keep(ArrayDeque<T> list, T one) {
        if (list.size() < MOST_KEPT) {
            list.add(one);
        } else {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "nobody asked {0} for {1} of its connections; forgotten: {2}",
                    port,
                    MOST_KEPT,
                    one);
        }
    }

    /// Throws the next loss that nobody was told of.
    void throwLoss() {
        ConnectionLost loss;
        synchronized (this) {
            loss = untold.poll();
        }
        if (loss != null) {
            port.troubled(); // there may be more
            throw loss;
        }
    }

    synchronized boolean hasUntold() {
        return !untold.isEmpty();
    }

    synchronized List<Lost<Origin>> takeLost() {
        var list = List.copyOf(lost);
        lost.clear();
        return list;
    }

    synchronized List<Origin> takeFresh() {
        var list = List.copyOf(fresh);
        fresh.clear();
        return list;
    }
}
