package org.ibidem.mpj.device.circuit;

import org.ibidem.mpj.device.Matcher;

/// Messages that their sender wants back after their header has left. Only the receiver knows
/// whether such a message has met its receive, so it is asked (CANCEL), and answers where it has
/// not (CANCELLED); where it has, REPLY or DONE is the answer. With the circuit's turn in hand.
///
/// A process of version 1 knows none of these frames and gets none: what speaks version 2 says so
/// in the header of each message that can be cancelled, and is told the same in return (VERSION).
final class Cancels {
    private final Dispatcher dispatcher;
    private final Matcher<Receiving, Arrived> matcher;
    private final Requests<Sending> sendings;

    Cancels(
            Dispatcher dispatcher,
            Matcher<Receiving, Arrived> matcher,
            Requests<Sending> sendings) {
        this.dispatcher = dispatcher;
        this.matcher = matcher;
        this.sendings = sendings;
    }

    /// A message waits here that its sender may want back: it has to know whether that is
    /// understood.
    void waits(Peer peer, int kind) {
        if (kind != Header.EAGER && peer.isToBeTold()) {
            dispatcher.answer(peer, new Item.Word(Header.VERSION, 0, Header.SPOKEN));
        }
    }

    /// What a peer speaks: it is asked for what was to come back before that was known.
    void speaks(Peer peer, long version) {
        boolean before = peer.takesCancels();
        peer.speaks(Math.clamp(version, 1, Integer.MAX_VALUE));
        if (!before && peer.takesCancels()) {
            sendings.all()
                    .filter(one -> one.envelope.to() == peer.rank)
                    .filter(one -> one.isCancelled() && one.isCancellable())
                    .forEach(one -> dispatcher.answer(peer, one.cancelWord()));
        }
    }

    /// Wants a message back: its receiver is asked, now or when it has said that it understands.
    void ask(Peer peer, Sending sending) {
        if (sending.isCancellable() && sending.cancels() && peer.takesCancels()) {
            dispatcher.answer(peer, sending.cancelWord());
        }
    }

    /// A peer wants a message back.
    ///
    /// @param where its tag, and above it its context
    void asked(Peer peer, int request, long where) {
        int tag = (int) where;
        if (tag < 0) {
            throw Dispatcher.garbage("a cancel with the tag " + tag);
        }
        var found =
                matcher.search(
                        peer.rank,
                        tag,
                        (int) (where >>> Integer.SIZE),
                        one -> one.kind() != Header.EAGER && one.request() == request);
        if (found == null) {
            return; // it has met its receive, of which its sender was told
        }
        if (found.kind() == Header.SYNC) {
            if (!found.hasAll()) {
                throw Dispatcher.garbage("a cancel within its message");
            }
            dispatcher.consumed(found);
        } else {
            peer.announcesLess();
        }
        boolean _ = matcher.take(found);
        dispatcher.answer(peer, new Item.Word(Header.CANCELLED, request, 0));
    }

    /// A peer has given a message back.
    void answered(Peer peer, int request) {
        var sending = sendings.get(request);
        if (sending == null || !sending.isCancelled()) {
            throw Dispatcher.garbage("a message that nobody wanted back");
        }
        dispatcher.sending(peer, request).takenBack();
    }
}
