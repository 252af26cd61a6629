package org.ibidem.registry.wire;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.ControlWriter;
import org.ibidem.buffer.Malformed;
import org.ibidem.registry.Member;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.PoolEvent.Change;
import org.ibidem.topology.Contact;
import org.ibidem.topology.Location;
import org.ibidem.topology.NodeId;

/// Coding of what several messages are made of.
final class Parts {
    private static final int IPV4 = 4;
    private static final int IPV6 = 16;
    private static final int JOINED = 1;
    private static final int LEFT = 2;
    private static final int DIED = 3;
    private static final int SUSPECTED = 4;
    private static final int RESTORED = 5;
    private static final int CLOSED = 6;

    private Parts() {}

    /// Big-endian, as the hash it is.
    static void id(ControlWriter out, NodeId id) {
        out.i64(Long.reverseBytes(id.high())).i64(Long.reverseBytes(id.low()));
    }

    static NodeId id(ControlReader in) {
        return new NodeId(Long.reverseBytes(in.i64("id")), Long.reverseBytes(in.i64("id")));
    }

    static void location(ControlWriter out, Location location) {
        out.text(location.toString(), Protocol.LOCATION_BYTES);
    }

    static Location location(ControlReader in) {
        var text = in.text("location", Protocol.LOCATION_BYTES);
        try {
            return Location.parse(text);
        } catch (IllegalArgumentException e) {
            throw in.bad("location", String.valueOf(e.getMessage()));
        }
    }

    static void member(ControlWriter out, Member member) {
        id(out, member.id());
        out.i32(member.rank());
        location(out, member.location());
    }

    static Member member(ControlReader in) {
        var id = id(in);
        int rank = in.i32("rank");
        if (rank < 0) {
            throw in.bad("rank", "a member has a rank of 0 or more, not " + rank);
        }
        return new Member(id, rank, location(in));
    }

    static void contact(ControlWriter out, Contact contact) {
        id(out, contact.id());
        out.count(contact.addresses().size(), Protocol.ADDRESSES);
        contact.addresses().forEach(address -> address(out, address));
        out.count(contact.places().size(), Protocol.PLACES);
        // Sorted, so that equal contacts are equal bytes.
        new TreeMap<>(contact.places())
                .forEach((name, place) ->
                        out.text(name, Protocol.NAME_BYTES).text(place, Protocol.PLACE_BYTES));
    }

    static Contact contact(ControlReader in) {
        return new Contact(id(in), addresses(in), places(in));
    }

    private static List<InetSocketAddress> addresses(ControlReader in) {
        int count = in.count("addresses", Protocol.ADDRESSES);
        var addresses = new ArrayList<InetSocketAddress>(count);
        for (int i = 0; i < count; i++) {
            addresses.add(address(in));
        }
        return addresses;
    }

    private static Map<String, String> places(ControlReader in) {
        int count = in.count("places", Protocol.PLACES);
        var places = new HashMap<String, String>();
        for (int i = 0; i < count; i++) {
            var name = in.text("driver", Protocol.NAME_BYTES);
            if (places.put(name, in.text("place", Protocol.PLACE_BYTES)) != null) {
                throw in.bad("driver", "'" + name + "' comes twice");
            }
        }
        return places;
    }

    private static void address(ControlWriter out, InetSocketAddress address) {
        var bytes = address.getAddress().getAddress();
        out.u8(bytes.length).raw(bytes).u16(address.getPort());
    }

    private static InetSocketAddress address(ControlReader in) {
        int length = in.u8("address");
        if (length != IPV4 && length != IPV6) {
            throw in.bad("address", "an address has 4 or 16 bytes, not " + length);
        }
        try {
            return new InetSocketAddress(
                    InetAddress.getByAddress(in.raw("address", length)), in.u16("port"));
        } catch (UnknownHostException e) {
            throw new AssertionError("the length was checked", e);
        }
    }

    static void change(ControlWriter out, Change change) {
        switch (change) {
            case PoolEvent.Joined(var member) -> member(out.u8(JOINED), member);
            case PoolEvent.Left(var member) -> member(out.u8(LEFT), member);
            case PoolEvent.Died(var member, var why) -> {
                member(out.u8(DIED), member);
                out.text(why, Protocol.REASON_BYTES);
            }
            case PoolEvent.Suspected(var member, var why) -> {
                member(out.u8(SUSPECTED), member);
                out.text(why, Protocol.REASON_BYTES);
            }
            case PoolEvent.Restored(var member) -> member(out.u8(RESTORED), member);
            case PoolEvent.Closed(var why) -> out.u8(CLOSED).text(why, Protocol.REASON_BYTES);
        }
    }

    static Change change(ControlReader in) {
        int kind = in.u8("change");
        return switch (kind) {
            case JOINED -> new PoolEvent.Joined(member(in));
            case LEFT -> new PoolEvent.Left(member(in));
            case DIED -> new PoolEvent.Died(member(in), reason(in));
            case SUSPECTED -> new PoolEvent.Suspected(member(in), reason(in));
            case RESTORED -> new PoolEvent.Restored(member(in));
            case CLOSED -> new PoolEvent.Closed(reason(in));
            default -> throw in.bad("change", "there is no change of kind " + kind);
        };
    }

    static String reason(ControlReader in) {
        return in.text("reason", Protocol.REASON_BYTES);
    }

    static boolean flag(ControlReader in, String field) {
        int value = in.u8(field);
        if (value > 1) {
            throw in.bad(field, "is 0 or 1, not " + value);
        }
        return value == 1;
    }

    static Malformed unknown(ControlReader in, int code) {
        return in.bad("kind", "there is no message of kind " + code);
    }
}
