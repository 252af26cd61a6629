package org.ibidem.hub;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ibidem.registry.wire.Protocol;
import org.ibidem.registry.wire.Reply;
import org.ibidem.registry.wire.ReplyCoding;

/// The news of one pool as messages, each encoded once for all who are at the same number.
final class Batches {
    private final Pool pool;
    private final Map<Long, Batch> bySeen = new HashMap<>();

    /// News as messages.
    ///
    /// @param messages to send, in order
    /// @param last number that the receiver knows then
    record Batch(List<byte[]> messages, long last) {}

    Batches(Pool pool) {
        this.pool = pool;
    }

    /// What comes after number `seen`: some changes, or the whole pool when too many were missed.
    Batch after(long seen) {
        return bySeen.computeIfAbsent(seen, this::encode);
    }

    private Batch encode(long seen) {
        return pool.log
                .after(seen, Protocol.EVENTS_AT_ONCE)
                .map(changes ->
                        new Batch(
                                List.of(ReplyCoding.encode(new Reply.Events(seen + 1, changes))),
                                seen + changes.size()))
                .orElseGet(() ->
                        new Batch(
                                pool.snapshot().stream().map(ReplyCoding::encode).toList(),
                                pool.log.last()));
    }
}
