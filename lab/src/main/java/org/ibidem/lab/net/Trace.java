package org.ibidem.lab.net;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.ibidem.lab.net.emulator.Fate;
import org.ibidem.lab.net.plan.Network;

/// Packets that the emulator saw, in the order in which they were sent.
///
/// @param packets those
public record Trace(List<Packet> packets) {
    /// Keeps its own copy.
    public Trace {
        packets = List.copyOf(packets);
    }

    static Trace parse(List<String> records, Network network) {
        return new Trace(records.stream().map(each -> Packet.parse(each, network)).toList());
    }

    /// Those of the packets that will do.
    public Trace only(Predicate<Packet> wanted) {
        return new Trace(packets.stream().filter(wanted).toList());
    }

    /// Those between two sites, in both directions.
    public Trace between(String one, String other) {
        return only(packet ->
                (packet.fromSite().equals(one) && packet.toSite().equals(other))
                        || (packet.fromSite().equals(other) && packet.toSite().equals(one)));
    }

    /// Those of TCP.
    public Trace tcp() {
        return only(Packet::isTcp);
    }

    /// How many will do.
    public long count(Predicate<Packet> wanted) {
        return packets.stream().filter(wanted).count();
    }

    /// How many a line lost or had no room for.
    public long lost() {
        return count(packet -> packet.fate() == Fate.LOST || packet.fate() == Fate.OVERFLOWED);
    }

    /// Did those that begin connections cross: had none arrived when the last was sent?
    public boolean synsCross() {
        var syns = only(packet -> packet.isSyn() && packet.arrived()).packets();
        return syns.getLast().sent()
                < syns.stream().mapToLong(Packet::delivered).min().orElseThrow();
    }

    /// The longest chain of packets of which each was sent by somebody whom the one before had
    /// reached: how many times, one after the other, something had to cross the network. It depends
    /// on who waited for what, and not on how long anything took.
    ///
    /// Acknowledgements alone do not count: nobody waits for them. Nor do packets that did not
    /// arrive.
    public int crossings() {
        return crossings(_ -> 1);
    }

    /// The same where not every way is equally long: the longest chain, counted by the length of
    /// each packet's way.
    public int crossings(ToIntFunction<Packet> length) {
        // Of each site, the longest chain that has reached it or begun there, with its end's time.
        var arrived = new HashMap<String, List<long[]>>();
        int longest = 0;
        for (var packet : packets) {
            if (packet.isMeaningful() && packet.arrived()) {
                int before = 0;
                for (var chain : arrived.getOrDefault(packet.fromSite(), List.of())) {
                    if (chain[0] <= packet.sent()) {
                        before = Math.max(before, (int) chain[1]);
                    }
                }
                int depth = before + length.applyAsInt(packet);
                arrived.computeIfAbsent(packet.toSite(), _ -> new ArrayList<>())
                        .add(new long[] {packet.delivered(), depth});
                longest = Math.max(longest, depth);
            }
        }
        return longest;
    }

    /// The same in round trips, a begun one counted whole.
    public int roundTrips() {
        return (crossings() + 1) / 2;
    }
}
