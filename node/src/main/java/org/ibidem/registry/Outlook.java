package org.ibidem.registry;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.ibidem.topology.Egress;
import org.ibidem.topology.ProbeResult;

/// What gets out of the network that a node is in, and what gets in, as far as that can be found
/// with a hub alone.
///
/// @param egress how connections get out; not known when [#isWithin], unless it is declared
/// @param out plain connections to the hub, one for each of its addresses
/// @param in connections that the hub made back; empty when none of those out came about
public record Outlook(Egress egress, List<Out> out, List<In> in) {
    /// Keeps its own copies.
    public Outlook {
        out = List.copyOf(out);
        in = List.copyOf(in);
    }

    /// A connection to the hub, without a proxy.
    ///
    /// @param to the hub's address
    /// @param passage what became of it
    /// @param took how long that took
    /// @param why the reason, for people, or empty
    public record Out(InetSocketAddress to, ProbeResult passage, Duration took, String why) {}

    /// A connection of the hub to the address that this node's came from.
    ///
    /// @param port at which port of this node
    /// @param six over IPv6, not IPv4
    /// @param at where it led, as `host:port`, or empty
    /// @param passage what became of it
    /// @param why the reason, for people, or empty
    public record In(Port port, boolean six, String at, ProbeResult passage, String why) {}

    /// Where somebody may want in.
    public enum Port {
        /// The port that the node listens at.
        LISTENER("to this node's port"),
        /// A port that a NAT gave to a connection of this machine.
        MAPPED("to a port that the NAT has just given us");

        private final String meaning;

        Port(String meaning) {
            this.meaning = meaning;
        }

        /// In plain words.
        public String meaning() {
            return meaning;
        }
    }

    /// Whether the hub is on this machine, so that nothing can be found with it of what stands
    /// between this machine and others.
    public boolean isWithin() {
        return in.stream().anyMatch(each -> listener(each, ProbeResult.WITHIN))
                && in.stream().noneMatch(each -> listener(each, ProbeResult.OPEN));
    }

    /// What all of it means, in plain words.
    public String summary() {
        if (in.stream().anyMatch(each -> listener(each, ProbeResult.OPEN))) {
            return "others can connect to this node (direct)";
        }
        if (isWithin()) {
            return "whether others can connect to this node is not known from here: the hub is on"
                    + " this machine, and what it connects to within it passes no firewall and no"
                    + " NAT; ask with a hub on another machine";
        }
        if (egress == Egress.PROXY) {
            return "nothing gets in, and nothing out but through a proxy: this node connects through"
                    + " it (socks), or over the hub (routed)";
        }
        if (out.stream().noneMatch(each -> each.passage() == ProbeResult.OPEN)) {
            return "the hub's port cannot be reached from here";
        }
        var blocked =
                in.stream().anyMatch(each -> listener(each, ProbeResult.UNTRIED)) || in.isEmpty()
                        ? "whether others can connect to this node is not known"
                        : "connections from outside are blocked";
        return blocked
                + "; this node connects to nodes that can be connected to (direct, reverse)"
                + (egress.foreseeable()
                        ? ", to others when both begin at once (splice), or over the hub (routed)"
                        : ", to others over the hub (routed): its NAT's ports cannot be foreseen");
    }

    private static boolean listener(In each, ProbeResult passage) {
        return each.port == Port.LISTENER && each.passage == passage;
    }
}
