package org.ibidem.connect.splice;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import org.ibidem.IbidemException;
import org.ibidem.connect.Broker;
import org.ibidem.connect.Brokered;
import org.ibidem.connect.Candidates;
import org.ibidem.connect.Check;
import org.ibidem.connect.LocalAddresses;
import org.ibidem.connect.MethodContext;
import org.ibidem.connect.Race;
import org.ibidem.connect.Traits;
import org.ibidem.connect.Traits.Firewalls;
import org.ibidem.connect.Traits.Nat;
import org.ibidem.connect.Unreachable;
import org.ibidem.connect.splice.Appointments.Part;
import org.ibidem.connect.splice.Appointments.With;
import org.ibidem.link.Reach;
import org.ibidem.topology.Contact;
import org.ibidem.topology.Egress;

/// Both ends connect to each other at once (RFC 9293, section 3.5, "simultaneous open"): each
/// firewall takes the other end's SYN for an answer to the one it has just let out.
public final class Splice implements Brokered {
    // As direct, and one more that has to be asked first.
    private static final long COST = 30_000;
    private static final Duration LONGEST = Duration.ofSeconds(10);
    private static final Duration OBSERVATION = Duration.ofSeconds(3);

    private final Appointments appointments = new Appointments();

    /// Called by the service loader.
    public Splice() {}

    @Override
    public String name() {
        return "splice";
    }

    @Override
    public Traits traits() {
        return new Traits(Firewalls.BOTH, Nat.LEARNABLE, false, true, false, true);
    }

    @Override
    public Reach reach(Contact peer) {
        return LocalAddresses.mine().isEmpty()
                ? new Reach.No("this machine has no address that others could connect to")
                : new Reach.Yes(COST);
    }

    @Override
    public <T> T connect(Contact peer, Check<T> check, MethodContext context) {
        var broker = context.broker();
        if (broker == null) {
            throw failed(peer, "both ends have to begin at once, and nothing reaches it yet");
        }
        requireForeseeable(peer, broker);
        long begin = context.tasks().nanoTime();
        try (var port = LocalPort.take();
                var talk = new Talk(broker, context)) {
            var theirs = Offer.decode(talk.exchange(token -> offer(token, port, broker)));
            var left = context.limit().minusNanos(context.tasks().nanoTime() - begin);
            return open(peer, port, theirs, check, context.within(left));
        } catch (IOException e) {
            throw failed(peer, "no port could be had to connect from: " + e.getMessage());
        }
    }

    @Override
    public byte[] join(Contact peer, byte[] proposal, Check<?> check, MethodContext context) {
        var word = Offer.decode(proposal);
        var broker = context.broker();
        if (broker == null) {
            throw new IllegalArgumentException("a proposal comes through a broker");
        }
        requireForeseeable(peer, broker);
        try {
            var with = new With(peer.id(), word.token());
            var part = new Asked(peer, word.token(), check, context, broker);
            return appointments.heard(with, word, part, context).encode();
        } catch (IOException e) {
            throw failed(peer, "no port could be had to connect from: " + e.getMessage());
        }
    }

    /// The part of the end that is asked.
    private record Asked(
            Contact peer, long token, Check<?> check, MethodContext context, Broker broker)
            implements Part {
        @Override
        public Offer offer(LocalPort port) throws IOException {
            return Splice.offer(token, port, broker);
        }

        @Override
        public Duration delay() {
            return broker.delay();
        }

        @Override
        public void begin(LocalPort port, Offer theirs) {
            try (port) {
                open(peer, port, theirs, check, context);
            } catch (IbidemException e) {
                // The other end, who asked for the connection, finds out the same and tells.
                System.getLogger(Splice.class.getName())
                        .log(System.Logger.Level.DEBUG, "no splice", e);
            }
        }
    }

    private static <T> T open(
            Contact peer, LocalPort port, Offer theirs, Check<T> check, MethodContext context) {
        var broker = context.broker();
        var egress = broker == null ? Egress.UNKNOWN : broker.egress();
        var here = LocalAddresses.mine();
        var routes =
                Candidates.order(theirs.addresses()).stream()
                        .filter(each -> meetable(each.getAddress(), egress, here))
                        .map(address -> new SpliceRoute(port, address, context.tasks()::pause))
                        .toList();
        if (routes.isEmpty()) {
            throw failed(peer, "it offers no address to be met at from here");
        }
        var limit = context.limit().compareTo(LONGEST) < 0 ? context.limit() : LONGEST;
        return new Race<>("node " + peer.id(), routes, check, context.within(limit))
                .headStart(Duration.ZERO)
                .run();
    }

    /// Where the port may be met: on this machine's addresses, and where an observer sees it, if he
    /// can be asked.
    private static Offer offer(long token, LocalPort port, Broker broker) throws IOException {
        var addresses = new LinkedHashSet<InetSocketAddress>();
        var usable = LocalAddresses.usable();
        for (InetAddress mine : usable) {
            if (!meetable(mine, broker.egress(), usable)) {
                continue;
            }
            addresses.add(new InetSocketAddress(mine, port.number()));
        }
        try {
            var seen = observed(broker) ? broker.observe(port.holder(), OBSERVATION) : null;
            if (seen != null) {
                addresses.add(seen);
            }
        } catch (IOException e) {
            System.getLogger(Splice.class.getName())
                    .log(System.Logger.Level.DEBUG, "the address that others see is not known", e);
        }
        return new Offer(true, token, addresses.stream().limit(Candidates.MOST).toList());
    }

    /// Whether somebody has to be asked where a port may be met: not where there is no NAT.
    static boolean observed(Broker broker) {
        return broker.egress() != Egress.UNTRANSLATED && broker.egress().foreseeable();
    }

    /// Whether this address, of the peer's or our own, is one that can be used: of a family that
    /// this machine has, and not before a NAT whose ports nobody can foresee, which there is for
    /// IPv4 only.
    static boolean meetable(InetAddress address, Egress egress, Collection<InetAddress> mine) {
        boolean family =
                address.isLoopbackAddress()
                        || mine.stream().anyMatch(each -> each.getClass() == address.getClass());
        boolean foreseeable =
                egress.foreseeable()
                        || (egress == Egress.SYMMETRIC && address instanceof Inet6Address);
        return family && foreseeable;
    }

    /// Where nobody can be told at which port to meet us it would be tried in vain.
    private static void requireForeseeable(Contact peer, Broker broker) {
        var mine = LocalAddresses.mine();
        boolean none = mine.stream().noneMatch(each -> meetable(each, broker.egress(), mine));
        if (!broker.egress().foreseeable() && none) {
            throw failed(peer, "at one end " + broker.egress().inSentence());
        }
    }

    private static Unreachable failed(Contact peer, String why) {
        return new Unreachable("node " + peer.id() + " cannot be spliced with: " + why, List.of());
    }
}
