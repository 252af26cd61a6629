package org.ibidem.registry.wire;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.ibidem.registry.Member;
import org.ibidem.registry.PoolEvent;
import org.ibidem.topology.Contact;
import org.ibidem.topology.NodeId;
import org.ibidem.topology.ProbeResult;
import org.ibidem.topology.Surroundings;

/// What a hub says to a node.
public sealed interface Reply {
    /// The node is a member or a visitor, and connected. A [Snapshot] or [Events] follow.
    ///
    /// @param version of the protocol that is spoken from now on
    /// @param epoch which life of the hub's state this is; never 0
    /// @param number of the pool's last change now; the node is up to date when it knows that one
    /// @param rank the member's number; [#NO_RANK] for a visitor
    /// @param size of the pool, or 0
    /// @param observed the address the node's connection comes from, as `host:port`
    record Welcome(int version, long epoch, long number, int rank, int size, String observed)
            implements Reply {
        /// Of a visitor, who is no member.
        public static final int NO_RANK = -1;
    }

    /// The hub was started anew and has forgotten the pool: say what you know ([Request.Recall]),
    /// then attach again.
    ///
    /// @param known the [#sum] of the members it knows already; a node that comes to the same names
    ///   only the results of elections
    record Forgotten(long known) implements Reply {
        /// Tells one set of members from another; ids are hashes, so their sum does.
        public static long sum(Stream<NodeId> members) {
            return members.mapToLong(NodeId::high).sum();
        }
    }

    /// The node is no member. The hub closes the link.
    ///
    /// @param code why
    /// @param text why, for people
    record Refused(JoinRefusal code, String text) implements Reply {}

    /// Part of the pool as it is after change `number`; it replaces all that is known when the last
    /// part is there.
    ///
    /// @param number of the last change in it
    /// @param more whether another part follows
    /// @param facts about the pool as a whole
    /// @param entries members; none for a node that does not follow them
    /// @param elections their winners
    /// @param dead who died since what the node knows; all others that are not there any more left
    record Snapshot(
            long number,
            boolean more,
            Facts facts,
            List<Entry> entries,
            List<PoolEvent.Elected> elections,
            List<Dead> dead)
            implements Reply {
        /// Keeps its own copies.
        public Snapshot {
            entries = List.copyOf(entries);
            elections = List.copyOf(elections);
            dead = List.copyOf(dead);
        }
    }

    /// A member that died.
    ///
    /// @param id who
    /// @param why how
    record Dead(NodeId id, String why) {}

    /// What a snapshot says about the pool as a whole.
    ///
    /// @param closed why the pool is closed, or empty
    /// @param terminated who terminated it, if anybody did
    /// @param missed whether the node was away for too long: signals to it are lost, or changes
    ///   that it wanted to hear of one by one
    /// @param vague whether so many died that the hub does not know them all any more
    record Facts(String closed, Optional<Member> terminated, boolean missed, boolean vague) {}

    /// What happened after change `after`, up to and with change `upto`, as far as the node wants
    /// to know. Taken together, an unbroken chain.
    ///
    /// @param after number of the last change the node knew
    /// @param upto number of the last change it knows then
    /// @param changes in order
    record Events(long after, long upto, List<PoolEvent.Change> changes) implements Reply {
        /// Keeps its own copy.
        public Events {
            changes = List.copyOf(changes);
        }
    }

    /// Answers [Request.Lookup].
    ///
    /// @param call from the question
    /// @param found what is known, or none when it is neither a member nor a visitor
    /// @param died how it died, where it was a member; else empty
    record Found(int call, Optional<Whereabouts> found, String died) implements Reply {}

    /// How to reach a node.
    ///
    /// @param member which member it is; none: it is a visitor
    /// @param contact where
    record Whereabouts(Optional<Member> member, Contact contact) {}

    /// Answers [Request.Operate].
    ///
    /// @param call from the request
    /// @param outcome what came of it
    record Settled(long call, Outcome outcome) implements Reply {}

    /// Wants to know what the node knows of the network it is in. Answered by [Request.Described].
    record Describe() implements Reply {}

    /// Answers [Request.Survey].
    ///
    /// @param call from the question
    /// @param age how long ago the member said so, in milliseconds
    /// @param found what it said, or none when it is no member, or did not answer
    record Surveyed(int call, int age, Optional<Surroundings> found) implements Reply {}

    /// Answers [Request.Probe].
    ///
    /// @param call from the request
    /// @param passage what became of the connection, as far as the hub knows
    /// @param at where it led, as `host:port`
    /// @param why the reason, for people
    record Probed(int call, ProbeResult passage, String at, String why) implements Reply {}

    /// The leave was heard: the node is no member any more, and nobody will hold it for dead.
    record Bye() implements Reply {}

    /// Which certificates of the pool count no more, as the hub knows it.
    ///
    /// @param list as [org.ibidem.trust.RevokedList] has it
    record Revoked(byte[] list) implements Reply {
        @Override
        public boolean equals(Object other) {
            return other instanceof Revoked that && Arrays.equals(list, that.list);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(list);
        }
    }

    /// A member in a snapshot.
    ///
    /// @param member who
    /// @param suspected whether the hub has no contact with it now
    record Entry(Member member, boolean suspected) {}
}
