package org.ibidem.rmi.frame;

import java.io.InvalidObjectException;
import java.io.ObjectStreamException;
import java.io.Serial;
import java.io.Serializable;
import java.util.List;
import org.ibidem.topology.NodeId;

/// What names a remote object everywhere: who has it, under which number, and what it can do. This
/// is what travels in the place of an exported object or of a stub; it arrives as a stub.
///
/// @param high of its node's id
/// @param low of its node's id
/// @param object its number there, drawn by chance: who was not given it cannot guess it
/// @param interfaces the names of its remote interfaces
public record Reference(long high, long low, long object, List<String> interfaces)
        implements Serializable {
    private static final int MOST = 64;
    @Serial private static final long serialVersionUID = 1L;

    /// Checks it.
    ///
    /// @throws IllegalArgumentException when there is no interface, or more than 64
    public Reference {
        interfaces = List.copyOf(interfaces);
        if (interfaces.isEmpty() || interfaces.size() > MOST) {
            throw new IllegalArgumentException(
                    "a remote object has 1 to " + MOST + " interfaces, not " + interfaces.size());
        }
    }

    /// The object of this number at a node.
    public static Reference of(NodeId node, long object, List<String> interfaces) {
        return new Reference(node.high(), node.low(), object, interfaces);
    }

    /// Whose it is.
    public NodeId node() {
        return new NodeId(high, low);
    }

    /// Whether it is the same object, whatever is known of it.
    public boolean isSame(Reference other) {
        return object == other.object && high == other.high && low == other.low;
    }

    @Serial
    private Object readResolve() throws ObjectStreamException {
        var exchange = Exchange.current();
        if (exchange == null) {
            throw new InvalidObjectException("a remote object came outside of a remote call");
        }
        return exchange.resolve(this);
    }

    /// For people.
    @Override
    public String toString() {
        return "object "
                + Long.toHexString(object)
                + " of node "
                + node().brief()
                + " "
                + interfaces;
    }
}
