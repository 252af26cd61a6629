package org.ibidem.wrap;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.ibidem.IbidemException;
import org.ibidem.personality.sockets.Neighbours;
import org.ibidem.personality.sockets.RankAddress;
import org.ibidem.personality.sockets.Rules;
import org.ibidem.personality.vio.VioSocket;
import org.ibidem.registry.Member;
import org.ibidem.registry.Node;
import org.ibidem.registry.access.Runtimes;
import org.ibidem.task.Complaints;
import org.ibidem.topology.NodeId;
import org.ibidem.vlink.VLinks;
import org.ibidem.wrap.Message.Kind;
import org.jspecify.annotations.Nullable;

/// Connects that wrapped programs make to other nodes.
final class Outgoing {
    /// As long as TCP mostly tries.
    private static final Duration LIMIT = Duration.ofMinutes(2);

    /// The stack of who asks for none.
    private static final String AUTO = "auto";

    private static final Duration START = Duration.ofSeconds(30);

    private final Node node;
    private final Rules rules;
    private final List<String> names;
    private final String stack;
    private final Neighbours neighbours;
    private final Complaints complaints;

    /// A program that connects to a node beyond these waits in its connect.
    private final PeerRoom carried;

    Outgoing(Node node, Rules rules, String stack, Neighbours neighbours) {
        this.neighbours = neighbours;
        this.node = node;
        this.rules = rules;
        this.names = Places.names(rules);
        this.stack = stack;
        this.complaints =
                new Complaints(
                        System.getLogger(Outgoing.class.getName()), Runtimes.of(node).tasks());
        this.carried =
                new PeerRoom(
                        Bridge.MOST,
                        "connections to one node are carried; more wait",
                        limit -> complaints.say(Level.WARNING, limit));
        for (var rule : rules.unnamed()) {
            complaints.say(
                    Level.WARNING,
                    "'%s' makes nothing a node of what a wrapped program connects to: it tells addresses, not names; give the rule for all ports, and for one name or '*.NAME -> rank *'"
                            .formatted(rule));
        }
    }

    private Rules.@Nullable Target target(InetSocketAddress to) {
        int rank = RankAddress.rank(to.getAddress());
        if (rank >= 0) {
            return new Rules.Target(rank, stack);
        }
        var address = to.getAddress();
        var name = Places.named(address, names);
        if (name != null) {
            return rules.target(name, null, to.getPort());
        }
        return rules.target(address.getHostAddress(), address.getAddress(), to.getPort());
    }

    /// Does what a call asked for, if nothing has to be waited for: the destination is none of
    /// ours, there is no such node, or the other program is on this machine.
    ///
    /// @return whether it has
    boolean answer(Launched launcher, Message call) {
        var to = call.about();
        var target = to == null ? null : target(to);
        if (to == null || target == null) {
            launcher.tell(Message.to(Kind.CONTINUE, call.id(), 0));
            return true;
        }
        if (isNowhere(target.rank())) { // as by a kernel without a route, who does not wait either
            complain(target.rank(), to.getPort(), noNode(target.rank()));
            launcher.tell(Message.to(Kind.DONE, call.id(), Errors.NO_ROUTE));
            return true;
        }
        var beside = beside(target, to.getPort());
        if (beside != null) {
            launcher.tell(new Message(Kind.DIRECT, false, ownRank(), call.id(), beside));
        }
        return beside != null;
    }

    /// Does what another call asked for. The socket is held at once: a program that waits in its
    /// connect may be interrupted, or have a limit, and the socket goes on connecting then.
    void connect(Launched launcher, Message call) {
        var to = call.about();
        var target = to == null ? null : target(to);
        if (to == null || target == null) {
            launcher.tell(Message.to(Kind.CONTINUE, call.id(), 0));
            return;
        }
        var hold = new Message(Kind.HOLD, false, ownRank(), call.id(), gate(target, to));
        var held = launcher.hold(hold);
        try {
            var peer = member(target.rank());
            carried.take(peer);
            boolean begun = false;
            try {
                begun = meet(launcher, hold, held, far(peer, target.stack(), to.getPort()));
            } finally {
                if (!begun) {
                    carried.give(peer);
                }
            }
        } catch (IOException | RuntimeException | Error e) { // the program must not wait for ever
            int error = Errors.of(e);
            if (error != Errors.REFUSED) {
                complain(target.rank(), to.getPort(), e);
            }
            if (isHeld(held)) {
                launcher.tell(Message.to(Kind.DONE, call.id(), error));
            }
        }
    }

    /// Where the program's socket waits. Where the other program is on this machine, too, it is a
    /// port that the launcher chooses: its own address and port are that one's.
    private InetSocketAddress gate(Rules.Target target, InetSocketAddress to) {
        var address = Objects.requireNonNullElse(RankAddress.of(target.rank()), to.getAddress());
        boolean here = listening(target.rank(), to.getPort()) != null;
        return new InetSocketAddress(address, here ? 0 : to.getPort());
    }

    /// Where on this machine a program listens on that port of that rank; null: on another one.
    private @Nullable InetSocketAddress listening(int rank, int port) {
        return node.member(rank)
                .map(member -> neighbours.listening(member.id(), port))
                .orElse(null);
    }

    /// Where a program of this machine listens on that port of that rank: then nothing has to be
    /// carried, unless a stack was asked for. What is of this rank itself is never carried.
    private @Nullable InetSocketAddress beside(Rules.Target target, int port) {
        boolean own = target.rank() == ownRank();
        if (!own && !target.stack().equals(AUTO)) {
            return null;
        }
        var listening = listening(target.rank(), port);
        // Who listens at all addresses listens at the rank's, too: then nothing has to be changed.
        boolean everywhere = listening != null && listening.getAddress().isAnyLocalAddress();
        var address =
                everywhere || (own && listening == null) ? RankAddress.of(target.rank()) : null;
        return address == null ? listening : new InetSocketAddress(address, port);
    }

    private int ownRank() {
        return node.member(node.id()).map(Member::rank).orElse(-1);
    }

    private void complain(int rank, int port, Throwable why) {
        complaints.say(
                Level.WARNING,
                "a program cannot connect to rank %d, port %d: %s"
                        .formatted(rank, port, causes(why)));
    }

    private static String causes(Throwable failure) {
        var all = new StringBuilder(String.valueOf(failure.getMessage()));
        for (var cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            var why = String.valueOf(cause.getMessage());
            if (all.indexOf(why) < 0) {
                all.append(": ").append(why);
            }
        }
        return all.toString();
    }

    private static boolean isHeld(CompletableFuture<Message> held) {
        try {
            return held.join().value() >= 0;
        } catch (CancellationException | CompletionException _) {
            return false;
        }
    }

    /// Brings the program's socket, which waits, and the way together.
    ///
    /// @return whether bytes are carried between them now
    private boolean meet(
            Launched launcher, Message hold, CompletableFuture<Message> held, VioSocket far)
            throws IOException {
        Message answer;
        try {
            answer = held.join();
        } catch (CancellationException | CompletionException _) {
            far.abort("the program's launcher is gone");
            return false;
        }
        var program = answer.about();
        var gate = hold.about();
        if (answer.value() < 0 || program == null || gate == null) {
            far.abort("the program no longer waits for it");
            return false;
        }
        SocketChannel near;
        try {
            near = open(new InetSocketAddress(gate.getAddress(), answer.value()), program);
        } catch (IOException e) {
            far.abort("the program's socket could not be met: " + e.getMessage());
            throw e;
        }
        launcher.tell(Message.to(Kind.DONE, hold.id(), 0));
        var peer = far.link().peer();
        Bridge.start(VLinks.of(node), near, far.link(), () -> carried.give(peer));
        return true;
    }

    private static SocketChannel open(InetSocketAddress gate, InetSocketAddress program)
            throws IOException {
        var near = SocketChannel.open(StandardProtocolFamily.INET);
        try {
            near.setOption(StandardSocketOptions.SO_REUSEPORT, true); // as the gate's, beside it
            near.setOption(StandardSocketOptions.SO_REUSEADDR, true); // after it, by the next gate
            near.bind(gate);
            near.connect(program);
            return near;
        } catch (IOException e) {
            near.close();
            throw e;
        }
    }

    /// The way to a port of another node, where somebody has accepted it.
    private VioSocket far(NodeId peer, String over, int port) throws IOException {
        var note = String.valueOf(ownRank());
        VioSocket far;
        try {
            far = connect(peer, Incoming.WRAPPED + port, over, note);
        } catch (ConnectException _) { // no wrapped program listens there: perhaps one of Java
            return connect(peer, Incoming.PLAIN + port, over, note);
        }
        return accepted(far);
    }

    private VioSocket connect(NodeId peer, String name, String over, String note)
            throws IOException {
        return VioSocket.connected(
                VLinks.of(node).connect(peer, name, over, note, LIMIT), (int) LIMIT.toMillis());
    }

    /// Waits for what the other agent says of the program there.
    private static VioSocket accepted(VioSocket far) throws IOException {
        var status = ByteBuffer.allocate(1);
        int got = far.read(status, (int) LIMIT.toMillis());
        if (got == 1 && status.get(0) == 0) {
            return far;
        }
        far.abort("not accepted");
        if (got == 1 && (status.get(0) & 0xFF) == Errors.REFUSED) {
            throw new ConnectException("Connection refused");
        }
        throw new NoRouteToHostException("the agent there cannot reach its program");
    }

    private NodeId member(int rank) throws IOException {
        try {
            if (node.size() > rank) { // it is to be there: perhaps it starts just now
                node.awaitMembers(node.size(), START);
            }
        } catch (IbidemException _) {
            // it may be there though others are not
        }
        return node.member(rank).map(Member::id).orElseThrow(() -> noNode(rank));
    }

    /// Whether there is no such node, and the pool awaits none.
    private boolean isNowhere(int rank) {
        return node.size() <= rank && node.member(rank).isEmpty();
    }

    private static IOException noNode(int rank) {
        return new NoRouteToHostException("no node has rank " + rank);
    }
}
