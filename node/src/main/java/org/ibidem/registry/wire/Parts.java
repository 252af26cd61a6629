package org.ibidem.registry.wire;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.ControlWriter;
import org.ibidem.buffer.Malformed;
import org.ibidem.registry.Member;
import org.ibidem.registry.Tag;
import org.ibidem.topology.Contact;
import org.ibidem.topology.Location;
import org.ibidem.topology.NodeId;

/// Coding of what several messages are made of; what is written by `x(out, …)` is read by `x(in)`.
public final class Parts {
    private static final int IPV4 = 4;
    private static final int IPV6 = 16;
    private static final int TOKEN = 16;

    private Parts() {}

    /// Writes an id, big-endian, as the hash it is.
    public static ControlWriter id(ControlWriter out, NodeId id) {
        return out.i64(Long.reverseBytes(id.high())).i64(Long.reverseBytes(id.low()));
    }

    /// Reads an id.
    public static NodeId id(ControlReader in) {
        return new NodeId(Long.reverseBytes(in.i64("id")), Long.reverseBytes(in.i64("id")));
    }

    static ControlWriter location(ControlWriter out, Location location) {
        return out.text(location.toString(), Protocol.LOCATION_BYTES);
    }

    static Location location(ControlReader in) {
        var text = in.text("location", Protocol.LOCATION_BYTES);
        try {
            return Location.parse(text);
        } catch (IllegalArgumentException e) {
            throw in.bad("location", String.valueOf(e.getMessage()));
        }
    }

    static ControlWriter tag(ControlWriter out, Tag tag) {
        return out.bytes(tag.bytes(), Tag.MOST_BYTES);
    }

    static Tag tag(ControlReader in) {
        return Tag.of(in.bytes("tag", Tag.MOST_BYTES));
    }

    /// Writes a member.
    public static ControlWriter member(ControlWriter out, Member member) {
        location(id(out, member.id()).i32(member.rank()), member.location());
        return tag(out, member.tag());
    }

    /// Reads a member.
    public static Member member(ControlReader in) {
        var id = id(in);
        int rank = in.i32("rank");
        if (rank < 0) {
            throw in.bad("rank", "a member has a rank of 0 or more, not " + rank);
        }
        return new Member(id, rank, location(in), tag(in));
    }

    /// Writes a contact.
    public static void contact(ControlWriter out, Contact contact) {
        id(out, contact.id());
        out.count(contact.addresses().size(), Protocol.ADDRESSES);
        contact.addresses().forEach(address -> address(out, address));
        out.count(contact.places().size(), Protocol.PLACES);
        // Sorted, so that equal contacts are equal bytes.
        new TreeMap<>(contact.places())
                .forEach((name, place) ->
                        out.text(name, Protocol.DRIVER_BYTES).text(place, Protocol.PLACE_BYTES));
    }

    /// Reads a contact.
    public static Contact contact(ControlReader in) {
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
            var name = in.name("driver", Protocol.DRIVER_BYTES);
            if (places.put(name, in.name("place", Protocol.PLACE_BYTES)) != null) {
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
        return new InetSocketAddress(bareAddress(in), in.u16("port"));
    }

    /// Reads an address without a port.
    static InetAddress bareAddress(ControlReader in) {
        int length = in.u8("address");
        if (length != IPV4 && length != IPV6) {
            throw in.bad("address", "an address has 4 or 16 bytes, not " + length);
        }
        try {
            return InetAddress.getByAddress(in.raw("address", length));
        } catch (UnknownHostException e) {
            throw new AssertionError("the length was checked", e);
        }
    }

    /// Writes a reason, which [Protocol#clip] made short enough.
    public static ControlWriter reason(ControlWriter out, String reason) {
        return out.text(reason, Protocol.REASON_BYTES);
    }

    /// Reads a reason.
    public static String reason(ControlReader in) {
        return in.reason("reason", Protocol.REASON_BYTES);
    }

    /// Writes the name of an election, a sequence or of tokens.
    public static ControlWriter name(ControlWriter out, String name) {
        return out.text(name, Protocol.NAME_BYTES);
    }

    /// Reads such a name.
    public static String name(ControlReader in) {
        return in.name("name", Protocol.NAME_BYTES);
    }

    /// Writes a flag.
    public static ControlWriter flag(ControlWriter out, boolean value) {
        return out.u8(value ? 1 : 0);
    }

    /// Reads a flag.
    public static boolean flag(ControlReader in, String field) {
        int value = in.u8(field);
        if (value > 1) {
            throw in.bad(field, "is 0 or 1, not " + value);
        }
        return value == 1;
    }

    static UUID token(ControlReader in) {
        var bytes = ByteBuffer.wrap(in.raw("token", TOKEN));
        return new UUID(bytes.getLong(), bytes.getLong());
    }

    static long term(ControlReader in) {
        long term = in.i64("term");
        if (term < 1) {
            throw in.bad("term", "is 1 or more, not " + term);
        }
        return term;
    }

    static Malformed unknown(ControlReader in, int code) {
        return in.bad("kind", "there is no message of kind " + code);
    }
}
