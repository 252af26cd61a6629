package org.ibidem.registry;

import java.time.Duration;
import java.util.List;
import org.ibidem.IbidemException;
import org.ibidem.buffer.Malformed;
import org.ibidem.link.Tasks;
import org.ibidem.registry.wire.JoinRefusal;
import org.ibidem.registry.wire.Protocol;
import org.ibidem.registry.wire.Reply;
import org.ibidem.registry.wire.ReplyCoding;
import org.ibidem.registry.wire.Request;
import org.ibidem.registry.wire.RequestCoding;
import org.ibidem.service.ControlLink;
import org.ibidem.service.Handshake;
import org.ibidem.service.Hello;
import org.ibidem.service.Proved;
import org.ibidem.service.VersionMismatch;

/// Makes one connection to a hub and attaches to a pool through it.
///
/// @param link the connection
/// @param welcome what the hub said
record Attachment(ControlLink link, Reply.Welcome welcome) {

    /// What it takes to attach.
    ///
    /// @param handshake to prove who is there
    /// @param tasks of the node
    /// @param rhythm of the connection
    record Means(Handshake handshake, Tasks tasks, ControlLink.Limits rhythm) {}

    /// Attaches through this hub.
    ///
    /// @param recall the members known, should the hub have forgotten them
    /// @throws IbidemException of its own type when the hub says no, or [HubUnreachable] with the
    ///   reason
    static Attachment make(
            HubAddress hub,
            String pool,
            Request.Attach wish,
            List<Member> recall,
            Means means,
            Duration limit) {
        var proved = dial(hub, Hello.bootstrap(pool, null), means, limit);
        var link = ControlLink.over(proved, means.tasks, means.rhythm);
        var timer = means.tasks.after(limit, "limit to attach", () -> link.giveUp(limit));
        try {
            return new Attachment(link, attach(hub, link, wish, recall));
        } catch (RuntimeException e) {
            link.close("it does not attach");
            throw e;
        } finally {
            timer.stop();
        }
    }

    private static Reply.Welcome attach(
            HubAddress hub, ControlLink link, Request.Attach wish, List<Member> recall) {
        link.send(RequestCoding.encode(wish));
        var reply = receive(hub, link);
        if (reply instanceof Reply.Forgotten) {
            for (int from = 0; from < recall.size(); from += Protocol.MEMBERS_AT_ONCE) {
                int to = Math.min(recall.size(), from + Protocol.MEMBERS_AT_ONCE);
                link.send(RequestCoding.encode(new Request.Recall(recall.subList(from, to))));
            }
            var past = wish.past();
            var recalled = new Request.Past(past.epoch(), past.last(), past.closed(), true);
            link.send(
                    RequestCoding.encode(
                            new Request.Attach(
                                    wish.version(),
                                    wish.contact(),
                                    wish.location(),
                                    wish.size(),
                                    wish.rank(),
                                    recalled)));
            reply = receive(hub, link);
        }
        return switch (reply) {
            case Reply.Welcome welcome -> welcome;
            case Reply.Refused(var code, var text) -> throw refused(code, text);
            default ->
                    throw new HubUnreachable(
                            "hub " + hub + " answered with " + reply + " when asked to join");
        };
    }

    private static Reply receive(HubAddress hub, ControlLink link) {
        var message = link.receive();
        if (message == null) {
            throw new HubUnreachable(
                    "hub " + hub + " ended the connection instead of an answer: " + link.ending());
        }
        try {
            return ReplyCoding.decode(message);
        } catch (Malformed e) {
            throw new HubUnreachable("hub " + hub + " answered with garbage: " + e.getMessage());
        }
    }

    private static Proved dial(HubAddress hub, Hello hello, Means means, Duration limit) {
        return hub.place().dial(means.handshake, hello, means.tasks, limit);
    }

    private static IbidemException refused(JoinRefusal code, String text) {
        return switch (code) {
            case VERSION -> new VersionMismatch(text);
            case POOL_FULL ->
                    new PoolFull(text + ": join another pool, or start it with a larger size");
            case POOL_CLOSED -> new PoolClosed(text + "; join another pool");
            case RANK_TAKEN -> new RankTaken(text + ": wish for another one, or for none");
            case SIZE_DIFFERS -> new SizeDiffers(text + ": name that size, or none");
            case ID_IN_USE ->
                    new IdInUse(
                            text + ": join with another identity, or end the other process first");
            case DEPARTED -> new Departed(text + "; it may join again under a new identity");
            case HUB_FULL -> new HubFull(text + "; use another hub, or one with larger bounds");
        };
    }
}
