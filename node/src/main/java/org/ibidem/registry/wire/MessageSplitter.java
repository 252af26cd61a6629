package org.ibidem.registry.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import org.ibidem.registry.Member;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.PoolEvent.Change;

/// Divides what is too much for one message. Sizes are upper bounds: a character counts for the
/// three bytes it may need.
public final class MessageSplitter {
    private static final int REST = 4 * 1024;
    private static final int ROOM = Protocol.MOST_BYTES - REST;
    private static final int FIXED = 40;

    private MessageSplitter() {}

    /// Bytes that a member needs at most.
    public static int size(Member member) {
        int bytes = FIXED + member.tag().size();
        for (var level : member.location().levels()) {
            bytes += 1 + 3 * level.length();
        }
        return bytes;
    }

    /// Bytes that a change needs at most.
    public static int size(Change change) {
        return switch (change) {
            case PoolEvent.Joined(var member) -> size(member);
            case PoolEvent.Left(var member) -> size(member);
            case PoolEvent.Restored(var member) -> size(member);
            case PoolEvent.Terminated(var by) -> size(by);
            case PoolEvent.Died(var member, _) -> size(member) + Protocol.REASON_BYTES;
            case PoolEvent.Suspected(var member, _) -> size(member) + Protocol.REASON_BYTES;
            case PoolEvent.Elected(_, var winner, _) -> size(winner) + Protocol.NAME_BYTES;
            case PoolEvent.Signalled(var from, _) -> size(from) + Protocol.SIGNAL_BYTES;
            case PoolEvent.Closed _ -> FIXED + Protocol.REASON_BYTES;
            case PoolEvent.Vacated _ -> FIXED + Protocol.NAME_BYTES;
        };
    }

    /// The parts of a snapshot, of which all but the last say that more follows.
    public static List<Reply.Snapshot> snapshot(Reply.Snapshot whole) {
        var facts = whole.facts();
        long number = whole.number();
        List<PoolEvent.Elected> none = List.of();
        var parts = new ArrayList<Reply.Snapshot>();
        for (var some : split(whole.entries(), entry -> size(entry.member()))) {
            parts.add(new Reply.Snapshot(number, true, facts, some, none, List.of()));
        }
        for (var some : split(whole.elections(), MessageSplitter::size)) {
            parts.add(new Reply.Snapshot(number, true, facts, List.of(), some, List.of()));
        }
        for (var some : split(whole.dead(), _ -> FIXED + Protocol.REASON_BYTES)) {
            parts.add(new Reply.Snapshot(number, true, facts, List.of(), none, some));
        }
        parts.add(new Reply.Snapshot(number, false, facts, List.of(), none, List.of()));
        return parts;
    }

    /// What a node knows of its pool, in as many messages as it takes.
    public static List<Request.Recall> recall(
            List<Member> members, List<PoolEvent.Elected> elections) {
        var parts = new ArrayList<Request.Recall>();
        split(members, MessageSplitter::size)
                .forEach(some -> parts.add(new Request.Recall(some, List.of())));
        split(elections, MessageSplitter::size)
                .forEach(some -> parts.add(new Request.Recall(List.of(), some)));
        return parts;
    }

    /// How many of these changes fit into one message; at least one, if there is one.
    public static int fitting(List<Change> changes) {
        int bytes = 0;
        int count = 0;
        for (var change : changes) {
            bytes += size(change);
            if (count > 0 && (bytes > ROOM || count == Protocol.AT_ONCE)) {
                break;
            }
            count++;
        }
        return count;
    }

    private static <T> List<List<T>> split(List<T> all, ToIntFunction<T> size) {
        var parts = new ArrayList<List<T>>();
        int from = 0;
        int bytes = 0;
        for (int i = 0; i < all.size(); i++) {
            bytes += size.applyAsInt(all.get(i));
            if (i > from && (bytes > ROOM || i - from == Protocol.AT_ONCE)) {
                parts.add(all.subList(from, i));
                from = i;
                bytes = size.applyAsInt(all.get(i));
            }
        }
        if (from < all.size()) {
            parts.add(all.subList(from, all.size()));
        }
        return parts;
    }
}
