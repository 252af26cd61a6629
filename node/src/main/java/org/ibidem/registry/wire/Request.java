package org.ibidem.registry.wire;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.ibidem.registry.Member;
import org.ibidem.registry.Membership;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.Tag;
import org.ibidem.topology.Contact;
import org.ibidem.topology.Location;
import org.ibidem.topology.NodeId;
import org.ibidem.topology.Surroundings;
import org.jspecify.annotations.Nullable;

/// What a node says to its hub. Who says it, and of which pool, was proved by the handshake before.
public sealed interface Request {
    /// Wants to become a member, or to be connected again as the member it is. The first thing
    /// said, but for [Recall]s.
    ///
    /// @param version of the protocol, [Protocol#VERSION]
    /// @param contact how peers reach it; its id is the one proved
    /// @param location where it is
    /// @param tag what others are told of it
    /// @param size of the pool, or 0
    /// @param rank wished for, or -1
    /// @param membership what it wants to know of other members
    /// @param past what it has been in this pool
    /// @param arrival how it comes
    record Attach(
            int version,
            Contact contact,
            Location location,
            Tag tag,
            int size,
            int rank,
            Membership membership,
            Past past,
            Arrival arrival)
            implements Request {
        /// Of one of which others are told nothing, and who does not say how it comes.
        public Attach(
                int version,
                Contact contact,
                Location location,
                int size,
                int rank,
                Membership membership,
                Past past) {
            this(
                    version,
                    contact,
                    location,
                    Tag.NONE,
                    size,
                    rank,
                    membership,
                    past,
                    Arrival.UNTOLD);
        }

        /// The same with another contact.
        public Attach with(Contact other) {
            return new Attach(version, other, location, tag, size, rank, membership, past, arrival);
        }

        /// The same, over a connection with these ends.
        public Attach over(@Nullable SocketAddress here, SocketAddress there) {
            var other = new Arrival(arrival.join, Arrival.text(here), Arrival.text(there));
            return new Attach(version, contact, location, tag, size, rank, membership, past, other);
        }

        /// The same, after [Recall]s.
        public Attach afterRecalls() {
            var after = past.afterRecalls();
            return new Attach(
                    version, contact, location, tag, size, rank, membership, after, arrival);
        }
    }

    /// How a node comes to its hub.
    ///
    /// @param join which of its joins this is: a number by chance, the same however often it has to
    ///   ask, so that what it was answered and did not hear is answered once more; 0: it does not
    ///   say
    /// @param from the address of its end of the connection as it sees it itself, as `host:port`;
    ///   empty: it does not say
    /// @param to the address of the hub's end, as the node sees it. Where it is none of the hub's,
    ///   something stands between that took the connection and made another one, and its end says
    ///   nothing about the node
    record Arrival(long join, String from, String to) {
        /// Nothing is said.
        public static final Arrival UNTOLD = new Arrival(0, "", "");

        /// An address as both ends write it; empty where it is none of the Internet.
        public static String text(@Nullable SocketAddress address) {
            if (!(address instanceof InetSocketAddress there) || there.isUnresolved()) {
                return "";
            }
            var host = there.getAddress().getHostAddress().replaceFirst("%.*", "");
            return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + there.getPort();
        }
    }

    /// Wants to look into the pool without being a member of it. The first thing said, instead of
    /// [Attach]; a visitor whose connection was lost says it again.
    ///
    /// @param version of the protocol, [Protocol#VERSION]
    /// @param contact how members reach it; its id is the one proved
    record Visit(int version, Contact contact) implements Request {}

    /// Wants to attach or to visit, in a version that is not spoken here.
    ///
    /// @param version of the protocol
    record Unspoken(int version) implements Request {}

    /// Part of what a member knows of its pool, sent before a second [Attach] to a hub that forgot
    /// it all.
    ///
    /// @param members some of them
    /// @param elections the last results heard of, of some elections
    record Recall(List<Member> members, List<PoolEvent.Elected> elections) implements Request {
        /// Keeps its own copies.
        public Recall {
            members = List.copyOf(members);
            elections = List.copyOf(elections);
        }
    }

    /// Leaves the pool. Answered by [Reply.Bye].
    record Leave() implements Request {}

    /// Asks how to reach a member. Answered by [Reply.Found].
    ///
    /// @param call comes back in the answer
    /// @param id of the member
    record Lookup(int call, NodeId id) implements Request {}

    /// Says that a member seems gone. The hub looks for itself.
    ///
    /// @param id of the member
    /// @param why what was seen
    record Report(NodeId id, String why) implements Request {}

    /// Has the hub do something. Answered by [Reply.Settled], perhaps later. Sent again on a new
    /// connection while there is no answer; the hub does it once.
    ///
    /// @param call its number among all operations of this node; they grow
    /// @param open the calls before it that have no answer yet; the others need not be remembered
    /// @param operation what to do
    record Operate(long call, List<Long> open, Operation operation) implements Request {
        /// Keeps its own copy.
        public Operate {
            open = List.copyOf(open);
        }
    }

    /// Asks what a member knows of the network it is in. Answered by [Reply.Surveyed], which may
    /// take a while: the hub asks the member, unless it has lately.
    ///
    /// @param call comes back in the answer
    /// @param id of the member
    record Survey(int call, NodeId id) implements Request {}

    /// Answers [Reply.Describe].
    ///
    /// @param surroundings what the node knows of its network
    record Described(Surroundings surroundings) implements Request {}

    /// Has the hub connect to the address that this connection comes from, to see whether that
    /// arrives. May be said before [Attach] or [Visit], and instead of them. Answered by
    /// [Reply.Probed].
    ///
    /// @param call comes back in the answer
    /// @param port where to connect to, [#LEAST_PORT] or more
    /// @param token 16 bytes to say there, as a [org.ibidem.connect.Prelude.Turn]
    record Probe(int call, int port, UUID token) implements Request {
        /// No lower port is probed: there are services of other kinds.
        public static final int LEAST_PORT = 1024;
    }

    /// What a node has been in its pool.
    ///
    /// @param epoch which life of a hub's state took it in; 0: it was never taken in
    /// @param last number of the last change of the pool it heard of in that epoch; [#NOTHING]: it
    ///   heard of none, and was not told who is there either
    /// @param closed why the pool is closed, or empty
    /// @param terminated who terminated it, if anybody did
    /// @param recalled whether [Recall]s went before
    record Past(
            long epoch, long last, String closed, Optional<Member> terminated, boolean recalled) {
        /// Number of the last change for one who was told nothing of the pool yet. No change has
        /// the number 0 either, but who knows a pool up to there knows that it was empty.
        public static final long NOTHING = -1;

        /// The past of a node that was never taken in.
        public static final Past NONE = new Past(0, 0, "", Optional.empty(), false);

        /// The same, after [Recall]s.
        public Past afterRecalls() {
            return new Past(epoch, last, closed, terminated, true);
        }
    }
}
