package org.ibidem.station;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.ibidem.IbidemException;
import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.ControlWriter;
import org.ibidem.buffer.Frame;
import org.ibidem.channel.Acceptor;
import org.ibidem.channel.Channels;
import org.ibidem.channel.InChannel;
import org.ibidem.channel.OutChannel;
import org.ibidem.control.Peers;
import org.ibidem.link.Catalog;
import org.ibidem.link.Driver;
import org.ibidem.link.Lines;
import org.ibidem.link.LinkBroken;
import org.ibidem.link.Reach;
import org.ibidem.link.Secrecy;
import org.ibidem.link.Terms;
import org.ibidem.peer.Course;
import org.ibidem.peer.Deliberation;
import org.ibidem.peer.Deliberation.Tried;
import org.ibidem.peer.Purpose;
import org.ibidem.selector.Alternatives;
import org.ibidem.selector.Selector;
import org.ibidem.stack.Stack;
import org.ibidem.task.Tasks;
import org.ibidem.topology.Contact;
import org.ibidem.topology.NodeId;

/// Tries every network driver towards a peer, and says what came of each: for people who ask, here
/// or at another node. A driver that says it reaches the peer makes a link, or takes the free
/// direction of one that is there; nothing is sent over it but its end.
public final class Trials {
    /// Channels of this kind are taken by every node, and used for nothing.
    private static final String KIND = "trial";

    private static final Duration LONGEST = Duration.ofSeconds(10);

    /// Another node may have more drivers than there are here.
    private static final int PATIENCE = 8;

    private static final byte[] NOTHING = {};

    private final Peers peers;
    private final Channels channels;
    private final Catalog catalog;
    private final NodeRuntime.Whereabouts contacts;
    private final Lines lines;
    private final Alternatives alternatives;
    private final Tasks tasks;

    /// @param contacts where a peer may be
    /// @param lines what is known of the lines to peers
    /// @param secrecy whether what is tried has to be encrypted
    Trials(
            Peers peers,
            Channels channels,
            NodeRuntime.Whereabouts contacts,
            Lines lines,
            Secrecy secrecy) {
        this.lines = lines;
        this.alternatives =
                new Alternatives(
                        new Selector(channels.catalog(), channels.domains(), secrecy),
                        channels.tasks(),
                        lines);
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
    public Deliberation trials(NodeId peer, Duration each) {
        var contact = contacts.of(peer, LONGEST);
        long begin = tasks.nanoTime();
        var tried = new ArrayList<Tried>();
        for (var driver : ordered(contact)) {
            tried.add(attempt(driver, contact, each, begin));
        }
        tried.add(auto(contact, each, begin));
        return new Deliberation(peer, Purpose.DATA, tried);
    }

    private List<Driver> ordered(Contact peer) {
        return catalog.drivers().stream()
                .sorted(Comparator.comparingLong(driver -> cost(reach(driver, peer))))
                .toList();
    }

    private Reach reach(Driver driver, Contact peer) {
        return channels.domains().reach(driver.name(), peer.places());
    }

    private static long cost(Reach reach) {
        return reach instanceof Reach.Yes(long cost) ? cost : Long.MAX_VALUE;
    }

    /// What `auto` would make of it, and what was decided of the line so far.
    private Tried auto(Contact peer, Duration limit, long first) {
        long begin = tasks.nanoTime();
        boolean chosen = false;
        String why;
        try {
            var found = alternatives.first(Selector.AUTO, peer, limit, (stack, _) -> stack);
            chosen = true;
            why = found.stack().toString();
            var line = lines.to(peer, limit);
            why =
                    String.join(
                            "; ",
                            Stream.concat(Stream.of(why), line.decisions().stream()).toList());
        } catch (IbidemException e) {
            why = String.valueOf(e.getMessage());
        }
        var began = Duration.ofNanos(begin - first);
        var took = Duration.ofNanos(tasks.nanoTime() - begin);
        return new Tried(Selector.AUTO, began, took, chosen, why);
    }

    private Tried attempt(Driver driver, Contact peer, Duration each, long first) {
        long begin = tasks.nanoTime();
        boolean connected = false;
        var why =
                switch (reach(driver, peer)) {
                    case Reach.No(var reason) -> reason;
                    case Reach.Yes(long cost) -> {
                        try {
                            var readable = readable(driver.name(), peer, each);
                            connected = true;
                            yield "there is a link%s; 8 bytes take about %d ns one way"
                                    .formatted(readable, cost);
                        } catch (IbidemException e) {
                            yield String.valueOf(e.getMessage());
                        }
                    }
                };
        long end = tasks.nanoTime();
        var began = Duration.ofNanos(begin - first);
        return new Tried(driver.name(), began, Duration.ofNanos(end - begin), connected, why);
    }

    /// Makes a link, encrypted where it has to be, and says who can read what goes over it.
    private String readable(String driver, Contact peer, Duration limit) {
        var said =
                alternatives
                        .first(
                                "multi(" + driver + ")",
                                peer,
                                limit,
                                (stack, left) -> course(peer.id(), stack, left))
                        .what()
                        .secrecy();
        return said.isEmpty() ? "" : " (" + said + ")";
    }

    /// The course of data to a peer over this stack: that of the link that is there with a free
    /// direction, else of one that is made.
    public Course course(NodeId peer, Stack stack, Duration limit) {
        var channel = channels.open(peer, KIND, stack, NOTHING, limit);
        var course = channel.course();
        end(channel);
        return course;
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
                        channel.broken("the trying node gave it up");
                    }
                });
    }

    /// Has another node try them.
    public Deliberation trials(NodeId from, NodeId peer, Duration each) {
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
