package org.ibidem.registry.uplink;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.ibidem.IbidemException;
import org.ibidem.buffer.Malformed;
import org.ibidem.control.ControlLink;
import org.ibidem.handshake.Proved;
import org.ibidem.handshake.VersionMismatch;
import org.ibidem.link.StreamPath;
import org.ibidem.registry.Departed;
import org.ibidem.registry.HubUnreachable;
import org.ibidem.registry.JoinRefused;
import org.ibidem.registry.Member;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.wire.JoinRefusal;
import org.ibidem.registry.wire.MessageSplitter;
import org.ibidem.registry.wire.Reply;
import org.ibidem.registry.wire.ReplyCoding;
import org.ibidem.registry.wire.Request;
import org.ibidem.registry.wire.RequestCoding;

/// Makes one connection to a hub and attaches to a pool through it.
///
/// @param link the connection
/// @param welcome what the hub said
/// @param recalled whether it had forgotten what the node knows of its pool, and was told
record Attachment(ControlLink link, Reply.Welcome welcome, boolean recalled) {

    /// What a node knows of its pool, should the hub have forgotten it.
    ///
    /// @param members all it knows
    /// @param elections the results it knows
    record Memory(List<Member> members, List<PoolEvent.Elected> elections) {
        static final Memory NONE = new Memory(List.of(), List.of());

        /// The members to name to a hub that knows those with this sum. All, unless they are the
        /// same: the one that came back first may not have heard of the last that had joined, and
        /// whom the hub does not know would be dead for those who did.
        List<Member> beyond(long known) {
            boolean same = Reply.Forgotten.sum(members.stream().map(Member::id)) == known;
            return same ? List.of() : members;
        }
    }

    /// Attaches through this hub.
    ///
    /// @param wish a [Request.Attach] or a [Request.Visit]
    /// @throws IbidemException of its own type when the hub says no, or [HubUnreachable] with the
    ///   reason
    static Attachment make(
            HubAddress hub, UplinkContext context, Request wish, Memory memory, Duration limit) {
        var proved = dial(hub, context, limit);
        var link = ControlLink.over(proved, context.tasks(), context.rhythm());
        var timer = context.tasks().alarm(limit, "limit to attach", () -> link.giveUp(limit));
        try {
            var asked = over(context.line().under(proved), wish);
            link.send(RequestCoding.encode(asked));
            var reply = receive(hub, link);
            boolean recalls = false;
            if (reply instanceof Reply.Forgotten(var known)
                    && asked instanceof Request.Attach attach) {
                recalls = true;
                recall(link, attach, memory, known);
                reply = receive(hub, link);
            }
            var welcome = welcome(hub, reply);
            context.line().welcomed();
            return new Attachment(link, welcome, recalls);
        } catch (RuntimeException e) {
            link.close("it does not attach");
            throw e;
        } finally {
            timer.stop();
        }
    }

    private static Request over(StreamPath connection, Request wish) {
        return wish instanceof Request.Attach attach
                ? attach.over(connection.local(), connection.remote())
                : wish;
    }

    private static Proved dial(HubAddress hub, UplinkContext context, Duration limit) {
        try {
            return context.line().dial(hub.place(), limit);
        } catch (IOException e) {
            throw new DroppedByHub(
                    "hub " + hub + " took the connection and then did not speak: " + e.getMessage(),
                    false);
        }
    }

    private static void recall(ControlLink link, Request.Attach attach, Memory memory, long known) {
        MessageSplitter.recall(memory.beyond(known), memory.elections())
                .forEach(part -> link.send(RequestCoding.encode(part)));
        link.send(RequestCoding.encode(attach.afterRecalls()));
    }

    private static Reply.Welcome welcome(HubAddress hub, Reply reply) {
        return switch (reply) {
            case Reply.Welcome welcome -> welcome;
            case Reply.Refused(var code, var text) -> throw refused(hub, code, text);
            default ->
                    throw new HubUnreachable(
                            "hub " + hub + " answered with " + reply + " when asked to join");
        };
    }

    private static Reply receive(HubAddress hub, ControlLink link) {
        var message = link.receive();
        if (message == null) {
            throw new DroppedByHub(
                    "hub " + hub + " ended the connection instead of an answer: " + link.ending(),
                    true);
        }
        try {
            return ReplyCoding.decode(message);
        } catch (Malformed e) {
            throw new HubUnreachable("hub " + hub + " answered with garbage: " + e.getMessage());
        }
    }

    private static IbidemException refused(HubAddress hub, JoinRefusal code, String text) {
        return switch (code) {
            case VERSION ->
                    new VersionMismatch(
                            "hub "
                                    + hub
                                    + ": "
                                    + text
                                    + "; use the same release of Ibidem at both ends");
            case POOL_FULL ->
                    new JoinRefused.PoolFull(
                            text + ": join another pool, or start it with a larger size");
            case POOL_CLOSED -> new JoinRefused.PoolClosed(text + "; join another pool");
            case RANK_TAKEN ->
                    new JoinRefused.RankTaken(text + ": wish for another one, or for none");
            case SIZE_DIFFERS -> new JoinRefused.SizeDiffers(text + ": name that size, or none");
            case ID_IN_USE -> new JoinRefused.IdInUse(text);
            case DEPARTED -> new Departed(text + "; it may join again under a new identity");
            case HUB_FULL ->
                    new JoinRefused.HubFull(text + "; use another hub, or one with larger bounds");
            case CANNOT_WRITE ->
                    new JoinRefused.HubFull(
                            text + "; make room on the hub's disk, or use another hub");
            case NO_POOL -> new JoinRefused.NoSuchPool(text);
        };
    }
}
