package org.ibidem.connect.reverse;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.ibidem.IbidemException;
import org.ibidem.connect.Broker;
import org.ibidem.connect.Brokered;
import org.ibidem.connect.Candidates;
import org.ibidem.connect.Check;
import org.ibidem.connect.Expected;
import org.ibidem.connect.MethodContext;
import org.ibidem.connect.Race;
import org.ibidem.connect.Route;
import org.ibidem.connect.SocketPath;
import org.ibidem.connect.Traits;
import org.ibidem.connect.Traits.Firewalls;
import org.ibidem.connect.Traits.Nat;
import org.ibidem.connect.Unreachable;
import org.ibidem.link.Path;
import org.ibidem.link.Reach;
import org.ibidem.task.Tasks;
import org.ibidem.topology.Contact;
import org.ibidem.topology.Egress;
import org.jspecify.annotations.Nullable;

/// The peer connects to us, because we have asked it to.
public final class Reverse implements Brokered {
    // As direct, and one who has to be asked first.
    private static final long COST = 20_000;
    private static final Duration LONGEST = Duration.ofSeconds(5);
    private static final byte[] DONE = {1};

    /// Called by the service loader.
    public Reverse() {}

    @Override
    public String name() {
        return "reverse";
    }

    @Override
    public Traits traits() {
        return new Traits(Firewalls.PEERS, Nat.SERVER, false, true, false, true);
    }

    @Override
    public Reach reach(Contact peer) {
        return new Reach.Yes(COST);
    }

    @Override
    public <T> T connect(Contact peer, Check<T> check, MethodContext context) {
        var broker = context.broker();
        if (broker == null) {
            throw failed(peer, "nothing reaches it yet over which it could be asked");
        }
        requireWayOut(peer, broker);
        try (var expected = broker.expect()) {
            if (expected.addresses().isEmpty()) {
                throw failed(peer, "this node listens at no address");
            }
            var route = new ComingIn(broker, expected, context);
            return new Race<>("node " + peer.id(), List.of(route), route.noting(check), context)
                    .run();
        }
    }

    @Override
    public byte[] join(Contact peer, byte[] proposal, Check<?> check, MethodContext context) {
        var request = Request.decode(proposal);
        var broker = context.broker();
        if (broker != null) {
            requireWayOut(peer, broker);
        }
        var routes =
                Candidates.order(request.addresses()).stream()
                        .map(address -> new Turned(address, request, context.tasks()))
                        .toList();
        if (routes.isEmpty()) {
            throw failed(peer, "it names no address to connect to");
        }
        var limit = context.limit().compareTo(LONGEST) < 0 ? context.limit() : LONGEST;
        new Race<>("node " + peer.id(), routes, check, context.within(limit)).run();
        return DONE;
    }

    /// Behind a proxy nobody is let in, nor gets out to whoever listens.
    private static void requireWayOut(Contact peer, Broker broker) {
        if (broker.egress() == Egress.PROXY) {
            throw failed(peer, broker.egress().meaning() + " at one end");
        }
    }

    private static Unreachable failed(Contact peer, String why) {
        return new Unreachable(
                "node " + peer.id() + " cannot be asked to connect to us: " + why, List.of());
    }

    /// To us, by the peer.
    private static final class ComingIn implements Route {
        /// The peer dials several of our addresses, and another machine that has one of them in its
        /// network hears the token and may call, too.
        private static final int CONNECTIONS = 4;

        private final Broker broker;
        private final Expected expected;
        private final MethodContext context;
        private boolean asked;
        private @Nullable Exception failure;

        ComingIn(Broker broker, Expected expected, MethodContext context) {
            this.broker = broker;
            this.expected = expected;
            this.context = context;
        }

        @Override
        public InetSocketAddress address() {
            return expected.addresses().getFirst();
        }

        @Override
        public String via() {
            return "(here, for the peer to connect to)";
        }

        @Override
        public int connections() {
            return CONNECTIONS;
        }

        @Override
        public Path connect(Sockets sockets) throws IOException, InterruptedException {
            if (!asked) {
                asked = true;
                context.tasks().start("ask to connect", this::ask);
            }
            try {
                return expected.await();
            } catch (IOException e) {
                // What was wrong with one that came says more than that no other comes.
                switch (failure) {
                    case IOException before -> throw before;
                    case IbidemException before -> throw before;
                    case null, default -> throw e;
                }
            }
        }

        /// The same, which keeps what was wrong with the last that came.
        <T> Check<T> noting(Check<T> check) {
            return path -> {
                try {
                    return check.check(path);
                } catch (IOException | IbidemException e) {
                    failure = e;
                    throw e;
                }
            };
        }

        private void ask() {
            try {
                var request = new Request(expected.greeting(), expected.addresses());
                broker.propose("reverse", request.encode(), context.limit());
                // Which is long over when it is the one that goes on.
                expected.failed("the connection that the peer has made is of no use");
            } catch (IbidemException e) {
                expected.failed(String.valueOf(e.getMessage()));
            }
        }
    }

    /// From us, to somebody who has asked for it and begins.
    private record Turned(InetSocketAddress address, Request request, Tasks tasks)
            implements Route {
        @Override
        public SocketPath connect(Sockets sockets) throws IOException, InterruptedException {
            var path = Route.to(address, tasks).connect(sockets);
            for (var out = ByteBuffer.wrap(request.greeting().encode()); out.hasRemaining(); ) {
                path.write(out);
            }
            return path;
        }
    }
}
