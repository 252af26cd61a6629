package org.ibidem.channel;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.ibidem.channel.Acceptor.Receiver;
import org.ibidem.topology.NodeId;

/// Channels to this node whose link could not be made here after they were agreed on. A sender
/// whose end was not made either says that it gives them up, and tries again; one that had used its
/// end says that it has ended, given up or lost it: then what it sent is lost, and the receiver is
/// told.
final class Unmade {
    private static final int MOST = 256;
    private static final System.Logger LOG = System.getLogger(Unmade.class.getName());

    private final List<One> all = new ArrayList<>();

    /// @param key that the sender offered for the link
    /// @param number of the channel
    /// @param why the link was not made
    record One(NodeId peer, String key, int number, Receiver receiver, String why) {
        /// Its sender had used it.
        void lost() {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "a connection from node {0} broke before anything of it came: {1}",
                    peer.brief(),
                    why);
            receiver.lost(why);
        }
    }

    synchronized void add(One one) {
        if (all.size() == MOST) {
            all.removeFirst();
        }
        all.add(one);
    }

    /// The sender gave it up unused.
    void cancelled(NodeId peer, String key) {
        var _ = take(one -> one.peer.equals(peer) && one.key.equals(key));
    }

    /// The sender had used this channel.
    void used(NodeId peer, int number) {
        take(one -> one.peer.equals(peer) && one.number == number).forEach(One::lost);
    }

    /// The sender had used this link.
    void used(NodeId peer, String key) {
        take(one -> one.peer.equals(peer) && one.key.equals(key)).forEach(One::lost);
    }

    /// The sender is dead, and may have used them.
    void gone(NodeId peer) {
        take(one -> one.peer.equals(peer)).forEach(One::lost);
    }

    private synchronized List<One> take(Predicate<One> which) {
        var taken = all.stream().filter(which).toList();
        all.removeAll(taken);
        return taken;
    }
}
