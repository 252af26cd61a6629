package org.ibidem.service;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.ibidem.IbidemException;
import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.ControlWriter;
import org.ibidem.buffer.Frame;
import org.ibidem.link.Catalog;
import org.ibidem.link.Driver;
import org.ibidem.link.LinkBroken;
import org.ibidem.link.Reach;
import org.ibidem.link.Stack;
import org.ibidem.link.Tasks;
import org.ibidem.link.Terms;
import org.ibidem.service.Deliberation.Tried;
import org.ibidem.topology.Contact;
import org.ibidem.topology.NodeId;

/// Tries every network driver towards a peer, and says what came of each: for people who ask, here
/// or at another node. A driver that says it reaches the peer makes a link, or takes the free
/// direction of one that is there; nothing is sent over it but its end.
final class Trials {
    /// Channels of this kind are taken by every node, and used for nothing.
    private static final String KIND = "trial";

    private static final Duration LONGEST = Duration.ofSeconds(10);

    /// Another node may have more drivers than there are here.
    private static final int PATIENCE = 8;

    private static final byte[] NOTHING = {};

    private final Peers peers;
    private final Channels channels;
    private final Catalog catalog;
    private final Station.Whereabouts contacts;
    private final Tasks tasks;

    /// @param contacts where a peer may be
    Trials(Peers peers, Channels channels, Station.Whereabouts contacts) {
        this.peers = peers;
        this.channels = channels;
        this.catalog = channels.catalog();
        this.contacts = contacts;
        this.tasks = channels.tasks();
        channels.serve(KIND, Trials::accept);
        peers.serve(Peers.TRY, this::answer);
    }

    /// Tries them from here, in the order in which `auto` would.
    ///
    /// @param each time limit of each
    Deliberation trials(NodeId peer, Duration each) {
        var contact = contacts.of(peer, LONGEST);
        long begin = tasks.nanoTime();
        var tried = new ArrayList<Tried>();
        for (var driver : ordered(contact)) {
            tried.add(attempt(driver, contact, each, begin));
        }
        return new Deliberation(peer, Purpose.DATA, tried);
    }

    private List<Driver> ordered(Contact peer) {
        return catalog.drivers().stream()
                .sorted(Comparator.comparingLong(driver -> cost(reach(driver, peer))))
                .toList();
    }

    private static Reach reach(Driver driver, Contact peer) {
        return driver.reach(peer.places().getOrDefault(driver.name(), ""));
    }

    private static long cost(Reach reach) {
        return reach instanceof Reach.Yes(long cost) ? cost : Long.MAX_VALUE;
    }

    private Tried attempt(Driver driver, Contact peer, Duration each, long first) {
        long begin = tasks.nanoTime();
        boolean connected = false;
        var why =
                switch (reach(driver, peer)) {
                    case Reach.No(var reason) -> reason;
                    case Reach.Yes(long cost) -> {
                        var failure = failure(driver.name(), peer.id(), each);
                        connected = failure.isEmpty();
                        yield connected
                                ? "there is a link; 8 bytes take about " + cost + " ns one way"
                                : failure;
                    }
                };
        long end = tasks.nanoTime();
        var began = Duration.ofNanos(begin - first);
        return new Tried(driver.name(), began, Duration.ofNanos(end - begin), connected, why);
    }

    /// Why no link could be made; empty: one was.
    private String failure(String driver, NodeId peer, Duration limit) {
        try {
            var stack = Stack.parse(driver, catalog);
            end(channels.open(peer, KIND, stack, NOTHING, limit));
            return "";
        } catch (IbidemException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static void end(OutChannel channel) {
        var room = new Frame();
        var sink = channel.sink();
        try {
            if (sink.claim(room, 0) && (sink.commit(room, Frame.END) || sink.push())) {
                channel.ended();
            } else {
                channel.broken("it was only tried");
            }
        } catch (LinkBroken e) {
            channel.broken(String.valueOf(e.getMessage()));
            throw e;
        } finally {
            channel.detached();
        }
    }

    private static Acceptor.Answer accept(NodeId peer, String stack, Terms terms, byte[] request) {
        return new Acceptor.Yes(
                new Acceptor.Receiver() {
                    @Override
                    public void attach(InChannel incoming) {
                        incoming.refuseRest("it was only tried");
                    }

                    @Override
                    public void failed(String why) {
                        // who tries is told so, too
                    }

                    @Override
                    public void cancelled(InChannel channel) {
                        channel.broken("who tried it gave it up");
                    }
                });
    }

    /// Has another node try them.
    Deliberation trials(NodeId from, NodeId peer, Duration each) {
        var request = new ControlWriter(NodeId.BYTES + Integer.BYTES);
        peer.write(request);
        request.i32((int) each.toMillis());
        var limit = each.multipliedBy(PATIENCE);
        var answer = peers.request(from, Peers.TRY, request.toBytes(), limit);
        return new Deliberation(peer, Purpose.DATA, Tried.read(new ControlReader(answer)));
    }

    private byte[] answer(NodeId asking, byte[] message) {
        var in = new ControlReader(message);
        var peer = NodeId.read(in, "node");
        var each = Duration.ofMillis(Integer.toUnsignedLong(in.i32("limit")));
        in.end();
        return Tried.write(trials(peer, each.compareTo(LONGEST) < 0 ? each : LONGEST).tried());
    }
}
