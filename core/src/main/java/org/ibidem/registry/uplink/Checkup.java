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
import org.ibidem.buffer.Malformed;
import org.ibidem.connect.Check;
import org.ibidem.connect.LocalAddresses;
import org.ibidem.connect.direct.Direct;
import org.ibidem.link.Tasks;
import org.ibidem.registry.HubUnreachable;
import org.ibidem.registry.Outlook.In;
import org.ibidem.registry.Outlook.Out;
import org.ibidem.registry.Outlook.Port;
import org.ibidem.registry.wire.Reply;
import org.ibidem.registry.wire.ReplyCoding;
import org.ibidem.registry.wire.Request;
import org.ibidem.registry.wire.RequestCoding;
import org.ibidem.service.ControlLink;
import org.ibidem.service.Door;
import org.ibidem.service.Hello;
import org.ibidem.service.Knock;
import org.ibidem.service.Listener;
import org.ibidem.service.Proved;
import org.ibidem.topology.Passage;

/// Finds out what gets out to a hub and in from it: by a plain connection to each of its addresses,
/// and by having it knock at this node's doors over each family of addresses. Uses connections of
/// its own, so that it may come from addresses other than those of the node's tie to the hub.
public final class Checkup {
    private static final Duration LIMIT = Duration.ofSeconds(3);
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(8);
    private static final Duration ARRIVAL_LIMIT = Duration.ofSeconds(1);

    /// There is one at a time.
    private static final int CALL = 1;

    private final Means means;
    private final Listener listener;

    /// For a node.
    ///
    /// @param listener where its peers come in
    public Checkup(Means means, Listener listener) {
        this.means = means;
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
        var knock = Knock.atHub(address, LIMIT, tasks);
        return new Out(address, knock.passage(), knock.took(), knock.why());
    }

    /// Has the hub knock, at the first of its addresses of each family that can be reached.
    public List<In> in(List<Out> out) {
        var ways = new ArrayList<CompletableFuture<List<In>>>();
        for (boolean six : List.of(false, true)) {
            out.stream()
                    .filter(each -> each.passage() == Passage.OPEN)
                    .map(Out::to)
                    .filter(to -> to.getAddress() instanceof Inet6Address == six)
                    .findFirst()
                    .ifPresent(to -> ways.add(later(means.tasks(), () -> in(to, six))));
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
                    } catch (RuntimeException e) {
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
                    means.tasks()
                            .after(
                                    ANSWER_LIMIT,
                                    "limit to knock",
                                    () -> link.close("the hub did not knock in time"));
            try (var door = Door.of(listener, means.tasks())) {
                found.add(within(hub, knock(link, door, Port.LISTENER, six)));
                if (!six && translated(found.getFirst())) {
                    found.add(knockMapped(link, hub));
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
        var hello = Hello.bootstrap(means.pool(), null);
        Check<Proved> check = channel -> means.handshake().begin(channel, hello)::finish;
        var proved = Direct.race("hub " + hub, List.of(hub), check, means.tasks(), LIMIT);
        return ControlLink.over(proved, means.tasks(), means.rhythm());
    }

    private In knockMapped(ControlLink link, InetSocketAddress hub) {
        try (var door = Door.mapped(hub, LIMIT, means.tasks())) {
            return knock(link, door, Port.MAPPED, false);
        } catch (IOException e) {
            return untried(Port.MAPPED, false, e);
        }
    }

    private static In untried(Port port, boolean six, Exception why) {
        return new In(port, six, "", Passage.UNTRIED, String.valueOf(why.getMessage()));
    }

    /// A hub on this machine gets past whatever stands before it.
    private static In within(InetSocketAddress hub, In found) {
        var at = hub.getAddress();
        boolean here = at.isLoopbackAddress() || LocalAddresses.mine().contains(at);
        return here && found.passage() == Passage.OPEN
                ? new In(
                        found.port(),
                        found.six(),
                        found.at(),
                        Passage.WITHIN,
                        "the hub is on this machine, too")
                : found;
    }

    /// Does the hub see another address than this machine has?
    private static boolean translated(In found) {
        var mine = LocalAddresses.mine().stream().map(InetAddress::getHostAddress);
        return found.passage() != Passage.UNTRIED
                && mine.noneMatch(each -> found.at().startsWith(each + ":"))
                && found.passage() != Passage.WITHIN
                && !found.at().startsWith("127.");
    }

    private static In knock(ControlLink link, Door door, Port port, boolean six) {
        if (door.port() < Request.Knock.LEAST_PORT) {
            return new In(
                    port,
                    six,
                    "",
                    Passage.UNTRIED,
                    "a hub does not knock at ports below " + Request.Knock.LEAST_PORT);
        }
        link.send(RequestCoding.encode(new Request.Knock(CALL, door.port(), door.token())));
        var answer = receive(link);
        // Somebody else may listen at that port of that address.
        boolean astray = answer.passage() == Passage.OPEN && !door.opened(ARRIVAL_LIMIT);
        return new In(
                port,
                six,
                answer.at(),
                astray ? Passage.ASTRAY : answer.passage(),
                astray ? "it did not arrive at this node" : answer.why());
    }

    private static Reply.Knocked receive(ControlLink link) {
        var message = link.receive();
        if (message == null) {
            throw new HubUnreachable("the hub did not answer: " + link.ending());
        }
        try {
            switch (ReplyCoding.decode(message)) {
                case Reply.Knocked knocked -> {
                    return knocked;
                }
                case Reply.Refused(_, var why) ->
                        throw new HubUnreachable("the hub does not knock: " + why);
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
