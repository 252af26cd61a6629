package org.ibidem.connect.socks;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.ibidem.IbidemException;
import org.ibidem.connect.Brokered;
import org.ibidem.connect.Candidates;
import org.ibidem.connect.Check;
import org.ibidem.connect.MethodContext;
import org.ibidem.connect.Race;
import org.ibidem.connect.Route;
import org.ibidem.connect.Traits;
import org.ibidem.connect.Traits.Firewalls;
import org.ibidem.connect.Traits.Nat;
import org.ibidem.connect.Unreachable;
import org.ibidem.connect.socks.Plea.What;
import org.ibidem.connect.socks.ProxyAddress.Kind;
import org.ibidem.link.Reach;
import org.ibidem.task.Tasks;
import org.ibidem.topology.Contact;
import org.jspecify.annotations.Nullable;

/// Out through a proxy (SOCKS5 or HTTP CONNECT), or in through one that opens a port for us (SOCKS5
/// BIND).
///
/// In this order, each with a head start: our proxy connects to the peer's addresses; our proxy
/// opens a port and the peer is asked to connect to it; the peer is asked to have its proxy open a
/// port, and we connect to that.
public final class Socks implements Brokered {
    // More than a splice: every byte goes through somebody else's process.
    private static final long COST = 100_000;
    private static final Duration HEAD_START = Duration.ofMillis(250);

    private final Supplier<Proxies> proxies;

    /// Called by the service loader: with the proxies this JVM has been told of.
    public Socks() {
        this(Proxies::system);
    }

    Socks(Supplier<Proxies> proxies) {
        this.proxies = proxies;
    }

    @Override
    public String name() {
        return "socks";
    }

    @Override
    public Traits traits() {
        return new Traits(Firewalls.BOTH, Nat.ANY, false, true, true, true);
    }

    @Override
    public Reach reach(Contact peer) {
        return new Reach.Yes(COST); // if we know of none, the peer may
    }

    @Override
    public <T> T connect(Contact peer, Check<T> check, MethodContext context) {
        var known = proxies.get();
        var routes =
                new ArrayList<>(routes(known, Candidates.order(peer.addresses()), context.tasks()));
        var broker = context.broker();
        if (broker != null) {
            for (var proxy : known.any()) {
                if (proxy.kind() == Kind.SOCKS5) {
                    routes.add(new LetIn(proxy, broker, name(), context.tasks()));
                }
            }
            routes.add(new AskToBeLetIn(known, broker, name(), context.tasks()));
        }
        if (routes.isEmpty()) {
            throw none("node " + peer.id());
        }
        return new Race<>("node " + peer.id(), routes, check, context).headStart(HEAD_START).run();
    }

    /// The ways through this JVM's proxies.
    ///
    /// @param targets resolved or not: a proxy may know a name that this machine does not
    /// @param tasks look up the proxies' own names
    public static List<Route> routes(List<InetSocketAddress> targets, Tasks tasks) {
        return routes(Proxies.system(), targets, tasks);
    }

    /// The proxies that this JVM has been told of, without their passwords, and what is passed over
    /// of what it was told, with the reason.
    public static List<String> proxies() {
        var told = Proxies.system();
        return Stream.concat(
                        told.any().stream().map(ProxyAddress::toString),
                        told.passedOver().stream().map(why -> "passed over: " + why))
                .toList();
    }

    private static Unreachable none(String whom) {
        return new Unreachable(
                whom
                        + " cannot be reached through a proxy: none is known here (set ibidem.proxy,"
                        + " if there is one)",
                List.of());
    }

    private static List<Route> routes(
            Proxies proxies, List<InetSocketAddress> targets, Tasks tasks) {
        var routes = new ArrayList<Route>();
        for (var target : targets) {
            for (var proxy : proxies.on(target)) {
                routes.add(new ProxyRoute(proxy, target, tasks));
            }
        }
        return routes;
    }

    @Override
    public byte[] join(Contact peer, byte[] proposal, Check<?> check, MethodContext context) {
        var plea = Plea.decode(proposal);
        var address = plea.address();
        if (plea.what() == What.BIND || address == null) {
            return letIn(peer, check, context);
        }
        var routes = new ArrayList<Route>(List.of(Route.to(address, context.tasks())));
        routes.addAll(routes(proxies.get(), List.of(address), context.tasks()));
        context.tasks().start("dial as asked", () -> run(peer, routes, check, context));
        return Plea.answer(null);
    }

    private byte[] letIn(Contact peer, Check<?> check, MethodContext context) {
        var reasons = new ArrayList<String>();
        for (var proxy : proxies.get().any()) {
            if (proxy.kind() != Kind.SOCKS5) {
                continue;
            }
            try {
                var binding = bind(proxy, context);
                context.tasks()
                        .start(
                                "let in as asked",
                                () ->
                                        run(
                                                peer,
                                                List.of(new Bound(proxy, binding)),
                                                check,
                                                context));
                return Plea.answer(binding.address());
            } catch (IOException | ProxyFailed e) {
                reasons.add(proxy + ": " + e.getMessage());
            }
        }
        throw new ProxyFailed(
                "no proxy of the other end opens a port: "
                        + (reasons.isEmpty() ? "it knows of none" : String.join("; ", reasons)));
    }

    /// Within a part of the time: the other end waits for the answer.
    private static Binding bind(ProxyAddress proxy, MethodContext context) throws IOException {
        var sockets = new LimitedSockets();
        var limit = LetIn.PLEA.dividedBy(2);
        var clock = context.tasks().after(limit, "limit of a proxy", sockets::close);
        try {
            return Binding.open(proxy, sockets, context.tasks());
        } catch (IOException | RuntimeException e) {
            sockets.close();
            throw e;
        } finally {
            clock.stop();
        }
    }

    /// One socket after the other, until the time is over.
    private static final class LimitedSockets implements Route.Sockets {
        private @Nullable SocketChannel last;
        private boolean closed;

        @Override
        public synchronized SocketChannel open() throws IOException {
            if (closed) {
                throw new IOException("it did not answer in time");
            }
            last = Route.socket();
            return last;
        }

        synchronized void close() {
            closed = true;
            try {
                if (last != null) {
                    last.close();
                }
            } catch (IOException _) {
                // it is given up in any case
            }
        }
    }

    private static void run(
            Contact peer, List<Route> routes, Check<?> check, MethodContext context) {
        try {
            new Race<>("node " + peer.id(), routes, check, context).run();
        } catch (IbidemException e) {
            // The other end, who asked for the connection, finds out the same and tells.
            System.getLogger(Socks.class.getName())
                    .log(System.Logger.Level.DEBUG, "nobody was let in", e);
        }
    }
}
