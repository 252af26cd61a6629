package org.ibidem.registry.uplink;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.ibidem.accept.HubLine;
import org.ibidem.control.ControlLink;
import org.ibidem.handshake.Handshake;
import org.ibidem.registry.Membership;
import org.ibidem.registry.Tag;
import org.ibidem.task.Tasks;
import org.ibidem.topology.Contact;
import org.ibidem.topology.Location;
import org.ibidem.topology.NodeId;
import org.ibidem.topology.Surroundings;

/// What a node brings to attach to its pool.
///
/// @param pool which pool
/// @param hubs through which hubs, as `host:port`, in order
/// @param wish as what
/// @param self how others reach it
/// @param surroundings finds out what it knows of the network it is in
/// @param line how it connects to a hub
/// @param handshake to prove who it is
/// @param cut told of a peer that belongs to the pool no more though it lives, and why
/// @param tasks of the node
/// @param rhythm of the connection
public record UplinkContext(
        String pool,
        List<String> hubs,
        Wish wish,
        Contact self,
        Supplier<Surroundings> surroundings,
        HubLine line,
        Handshake handshake,
        BiConsumer<NodeId, String> cut,
        Tasks tasks,
        ControlLink.Limits rhythm) {
    private static final int MOST_ADDRESSES = 32;
    private static final int LONGEST_PLACE = 512 / 3;

    /// Keeps as much of the contact as the hub takes.
    public UplinkContext {
        var addresses = self.addresses().stream().limit(MOST_ADDRESSES).toList();
        var places = new HashMap<>(self.places());
        places.values().removeIf(place -> place.length() > LONGEST_PLACE);
        self = new Contact(self.id(), addresses, places);
    }

    /// As what it wants to join, or to visit.
    ///
    /// @param location where it is
    /// @param tag what others are told of it
    /// @param size of the pool, or 0
    /// @param rank wished for, or -1
    /// @param membership what it wants to know of other members
    /// @param limit for joining
    /// @param visits as no member at all: then size, rank and membership mean nothing
    public record Wish(
            Location location,
            Tag tag,
            int size,
            int rank,
            Membership membership,
            Duration limit,
            boolean visits) {}
}
