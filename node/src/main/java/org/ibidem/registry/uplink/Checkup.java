package org.ibidem.registry.uplink;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.ibidem.IbidemException;
import org.ibidem.accept.Listener;
import org.ibidem.accept.ProbePort;
import org.ibidem.accept.ReachabilityProbe;
import org.ibidem.buffer.Malformed;
import org.ibidem.connect.Check;
import org.ibidem.connect.LocalAddresses;
import org.ibidem.connect.direct.Direct;
import org.ibidem.control.ControlLink;
import org.ibidem.handshake.Hello;
import org.ibidem.handshake.Proved;
import org.ibidem.registry.HubUnreachable;
import org.ibidem.registry.Outlook.In;
import org.ibidem.registry.Outlook.Out;
import org.ibidem.registry.Outlook.Port;
import org.ibidem.registry.wire.Reply;
import org.ibidem.registry.wire.ReplyCoding;
import org.ibidem.registry.wire.Request;
import org.ibidem.registry.wire.RequestCoding;
import org.ibidem.task.Tasks;
import org.ibidem.topology.ProbeResult;

/// Finds out what gets out to a hub and in from it: by a plain connection to each of its addresses,
/// and by having it probe this node's ports over each family of addresses. Uses connections of its
/// own, so that it may come from addresses other than those of the node's tie to the hub.
public final class Checkup {
    private static final Duration LIMIT = Duration.ofSeconds(3);
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(8);
    private static final Duration ARRIVAL_LIMIT = Duration.ofSeconds(1);

    /// There is one at a time.
    private static final int CALL = 1;

    private final UplinkContext context;
    private final Listener listener;

    /// For a node.
    ///
    /// @param listener where its peers come in
    public Checkup(UplinkContext context, Listener listener) {
        this.context = context;
        this.listener = listener;
    }

    /// Connects plainly to every address of a hub, all at once.
    ///
    /// @param hub as `host:port`
    public static List<Out> out(String hub, Tasks tasks) {
        return HubAddress.parse(hub).place().addresses(tasks, LIMIT).stream()
                .map(address -> later(tasks, () -> out(address, tasks)))
                .toList()
                .stream()
                .map(CompletableFuture::join)
                .toList();
    }

    private static Out out(InetSocketAddress address, Tasks tasks) {
        var probe = ReachabilityProbe.atHub(address, LIMIT, tasks);
        return new Out(address, probe.passage(), probe.took(), probe.why());
    }

    /// Has the hub probe, at the first of its addresses of each family that can be reached.
    public List<In> in(List<Out> out) {
        var ways = new ArrayList<CompletableFuture<List<In>>>();
        for (boolean six : List.of(false, true)) {
            out.stream()
                    .filter(each -> each.passage() == ProbeResult.OPEN)
                    .map(Out::to)
                    .filter(to -> to.getAddress() instanceof Inet6Address == six)
                    .findFirst()
                    .ifPresent(to -> ways.add(later(context.tasks(), () -> in(to, six))));
        }
        return ways.stream().flatMap(way -> way.join().stream()).toList();
    }

    private static <T> CompletableFuture<T> later(Tasks tasks, Supplier<T> what) {
        var result = new CompletableFuture<T>();
        tasks.start(
                "checkup",
                () -> {
                    try {
                        result.complete(what.get());
                    } catch (RuntimeException | Error e) {
                        result.completeExceptionally(e);
                    }
                });
        return result;
    }

    private List<In> in(InetSocketAddress hub, boolean six) {
        var found = new ArrayList<In>();
        try {
            var link = connect(hub);
            var timer =
                    context.tasks()
                            .after(
                                    ANSWER_LIMIT,
                                    "limit to probe",
                                    () -> link.close("the hub did not probe in time"));
            try (var probePort = ProbePort.of(listener, context.tasks())) {
                found.add(within(hub, probe(link, probePort, Port.LISTENER, six)));
                if (!six && translated(found.getFirst())) {
                    found.add(probeMapped(link, hub));
                }
            } finally {
                timer.stop();
                link.close("that is all");
            }
        } catch (IbidemException e) {
            found.add(untried(Port.LISTENER, six, e));
        }
        return found;
    }

    private ControlLink connect(InetSocketAddress hub) {
        var hello = Hello.bootstrap(context.pool(), null);
        Check<Proved> check = channel -> context.handshake().begin(channel, hello)::finish;
        var proved = Direct.race("hub " + hub, List.of(hub), check, context.tasks(), LIMIT);
        return ControlLink.over(proved, context.tasks(), context.rhythm());
    }

    private In probeMapped(ControlLink link, InetSocketAddress hub) {
        try (var probePort = ProbePort.mapped(hub, LIMIT, context.tasks())) {
            return probe(link, probePort, Port.MAPPED, false);
        } catch (IOException e) {
            return untried(Port.MAPPED, false, e);
        }
    }

    private static In untried(Port port, boolean six, Exception why) {
        return new In(port, six, "", ProbeResult.UNTRIED, String.valueOf(why.getMessage()));
    }

    /// A hub on this machine gets past whatever stands before it.
    private static In within(InetSocketAddress hub, In found) {
        var at = hub.getAddress();
        boolean here = at.isLoopbackAddress() || LocalAddresses.mine().contains(at);
        return here && found.passage() == ProbeResult.OPEN
                ? new In(
                        found.port(),
                        found.six(),
                        found.at(),
                        ProbeResult.WITHIN,
                        "the hub is on this machine, too")
                : found;
    }

    /// Does the hub see another address than this machine has?
    private static boolean translated(In found) {
        var mine = LocalAddresses.mine().stream().map(InetAddress::getHostAddress);
        return found.passage() != ProbeResult.UNTRIED
                && mine.noneMatch(each -> found.at().startsWith(each + ":"))
                && found.passage() != ProbeResult.WITHIN
                && !found.at().startsWith("127.");
    }

    private static In probe(ControlLink link, ProbePort probePort, Port port, boolean six) {
        if (probePort.port() < Request.Probe.LEAST_PORT) {
            return new In(
                    port,
                    six,
                    "",
                    ProbeResult.UNTRIED,
                    "a hub does not probe ports below " + Request.Probe.LEAST_PORT);
        }
        link.send(
                RequestCoding.encode(new Request.Probe(CALL, probePort.port(), probePort.token())));
        var answer = receive(link);
        // Somebody else may listen at that port of that address.
        boolean astray = answer.passage() == ProbeResult.OPEN && !probePort.opened(ARRIVAL_LIMIT);
        return new In(
                port,
                six,
                answer.at(),
                astray ? ProbeResult.ASTRAY : answer.passage(),
                astray ? "it did not arrive at this node" : answer.why());
    }

    private static Reply.Probed receive(ControlLink link) {
        var message = link.receive();
        if (message == null) {
            throw new HubUnreachable("the hub did not answer: " + link.ending());
        }
        try {
            switch (ReplyCoding.decode(message)) {
                case Reply.Probed probed -> {
                    return probed;
                }
                case Reply.Refused(_, var why) ->
                        throw new HubUnreachable("the hub does not probe: " + why);
                default -> {
                    // nothing that was asked for
                }
            }
        } catch (Malformed e) {
            throw new HubUnreachable("the hub answered with garbage: " + e.getMessage());
        }
        throw new HubUnreachable("the hub answered something else");
    }
}
