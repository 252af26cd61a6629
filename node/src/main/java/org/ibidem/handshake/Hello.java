package org.ibidem.handshake;

import java.nio.charset.StandardCharsets;
import org.ibidem.Visible;
import org.ibidem.peer.Purpose;
import org.ibidem.topology.NodeId;
import org.ibidem.trust.JobKey;
import org.jspecify.annotations.Nullable;

/// What the node that connects says it wants. Signed by both ends as part of the handshake.
///
/// @param purpose what the connection is for
/// @param pool the pool both belong to, at most 64 bytes in UTF-8; empty where no pool is meant
/// @param peer who must answer, or null when anybody may (a node that only has its hub's address)
/// @param stack the stack of a data link in the stack notation, at most 1024 bytes; else empty
/// @param token the key of a data link, or what else both ends agreed on before, at most 64 bytes;
///   to the hub of a job the name of the job's key; else empty
public record Hello(
        Purpose purpose, String pool, @Nullable NodeId peer, String stack, String token) {
    /// Longest name of a pool, in bytes of UTF-8.
    public static final int LONGEST_POOL = 64;

    /// Longest text of a stack, in bytes of UTF-8.
    public static final int LONGEST_STACK = 1024;

    /// Longest token, in bytes of UTF-8.
    public static final int LONGEST_TOKEN = 64;

    /// Checks the lengths.
    public Hello {
        check("the name of a pool", Visible.name("the name of a pool", pool), LONGEST_POOL);
        check("a stack", stack, LONGEST_STACK);
        check("a token", token, LONGEST_TOKEN);
    }

    /// For the connection of a node to a hub.
    ///
    /// @param hub who must answer, or null when the hub's key is not known
    public static Hello bootstrap(String pool, @Nullable NodeId hub) {
        return new Hello(Purpose.BOOTSTRAP, pool, hub, "", "");
    }

    /// For the connection to a hub that carries routed streams, and what the node and the hub say
    /// to each other.
    ///
    /// @param hub who must answer, or null when the hub's key is not known
    public static Hello routed(String pool, @Nullable NodeId hub) {
        return new Hello(Purpose.ROUTED, pool, hub, "", "");
    }

    /// For the connection to a hub of who invites somebody into a pool.
    ///
    /// @param pool empty at who has been given a code: the code says where to
    public static Hello invitation(String pool) {
        return new Hello(Purpose.INVITATION, pool, null, "", "");
    }

    /// For the control channel to another node.
    public static Hello service(String pool, NodeId peer) {
        return new Hello(Purpose.SERVICE, pool, peer, "", "");
    }

    /// For a connection to another node that is only tried.
    public static Hello trial(String pool, NodeId peer) {
        return new Hello(Purpose.TRIAL, pool, peer, "", "");
    }

    /// For a connection to another node that links share.
    public static Hello shared(String pool, NodeId peer) {
        return new Hello(Purpose.SHARED, pool, peer, "", "");
    }

    /// For a data link to another node.
    ///
    /// @param stack what both ends will put on the connection
    /// @param key the link's key, as agreed on over the service link
    public static Hello data(String pool, NodeId peer, String stack, String key) {
        return new Hello(Purpose.DATA, pool, peer, stack, key);
    }

    /// The same over a path of datagrams.
    public static Hello datagrams(String pool, NodeId peer, String stack, String key) {
        return new Hello(Purpose.DATAGRAMS, pool, peer, stack, key);
    }

    /// The same that names the key of a job.
    Hello named(JobKey key) {
        return new Hello(purpose, pool, peer, stack, key.name());
    }

    private static void check(String what, String text, int most) {
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > most) {
            throw new IllegalArgumentException(
                    what + " has at most " + most + " bytes, not " + bytes + ": " + text);
        }
    }
}
