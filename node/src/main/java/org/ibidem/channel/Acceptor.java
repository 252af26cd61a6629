package org.ibidem.channel;

import org.ibidem.link.Terms;
import org.ibidem.topology.NodeId;

/// Decides about channels that other nodes ask for: the ports of a node are one.
@FunctionalInterface
public interface Acceptor {
    /// Decides. Each request has a task of its own, so this may take a while.
    ///
    /// @param peer who asks; its key is proved
    /// @param stack what it wants below the channel, in the stack notation
    /// @param terms what it can do otherwise
    /// @param request in the format of the kind of channel asked for
    Answer answer(NodeId peer, String stack, Terms terms, byte[] request);

    /// A peer is dead, whether it has channels or not.
    ///
    /// @param why for people
    default void gone(NodeId peer, String why) {}

    /// Yes, no, or not yet.
    sealed interface Answer {}

    /// Not yet: ask again when something has changed ([Channels#changed]), for as long as the peer
    /// has patience.
    ///
    /// @param no the answer when that is over
    record Later(No no) implements Answer {}

    /// The channel is wanted.
    ///
    /// @param receiver gets it when it is there
    record Yes(Receiver receiver) implements Answer {}

    /// It is not.
    ///
    /// @param code for the other node's program, 0 to 255
    /// @param why for people: the exact reason and what to do
    record No(int code, String why) implements Answer {}

    /// Who waits for a channel it said yes to.
    interface Receiver {
        /// The channel is there.
        void attach(InChannel incoming);

        /// It could not be made after all. Not called after [#attach].
        void failed(String why);

        /// The peer had used it before it learned that it [#failed]: what it sent is lost.
        ///
        /// @param why for people
        default void lost(String why) {}

        /// The peer gave up after [#attach] and before it used the channel: as if it had never
        /// been. When nobody reads from it any more, [InChannel#ended] must say so.
        void cancelled(InChannel channel);
    }
}
