package org.ibidem.port;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/// What a port can do: only ports of equal type connect. Immutable: each method gives a changed
/// copy.
///
/// As text: `many-to-one stack="auto" objects=jdk`.
public final class PortType {
    /// How many ports may be connected to each other.
    public enum Connections {
        /// One send port, one receive port.
        ONE_TO_ONE("one-to-one", 0),
        /// Several send ports, one receive port.
        MANY_TO_ONE("many-to-one", 1);

        private final String text;
        private final int code;

        Connections(String text, int code) {
            this.text = text;
            this.code = code;
        }

        /// The number on the wire.
        int code() {
            return code;
        }

        static Optional<Connections> of(int code) {
            return Stream.of(values()).filter(kind -> kind.code == code).findAny();
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /// The stack that lets the selector choose.
    public static final String AUTO = "auto";

    /// No objects, only primitives, arrays and bytes.
    public static final String NO_OBJECTS = "none";

    private static final int LONGEST = 1024;

    private final Connections connections;
    private final String stack;
    private final String objects;

    private PortType(Connections connections, String stack, String objects) {
        this.connections = connections;
        this.stack = Objects.requireNonNull(stack);
        this.objects = Objects.requireNonNull(objects);
        if (stack.length() > LONGEST) {
            throw new IllegalArgumentException(
                    "a stack has at most " + LONGEST + " characters, not " + stack.length());
        }
    }

    static PortType of(Connections connections) {
        return new PortType(connections, AUTO, NO_OBJECTS);
    }

    /// One sender, one receiver; the selector chooses the stack; no objects.
    public static PortType oneToOne() {
        return of(Connections.ONE_TO_ONE);
    }

    /// Several senders, one receiver; the selector chooses the stack; no objects.
    public static PortType manyToOne() {
        return of(Connections.MANY_TO_ONE);
    }

    /// Over this stack, in the stack notation, such as `fragment(size=8k) > tcp`; or [#AUTO].
    public PortType stack(String notation) {
        return new PortType(connections, notation.strip(), objects);
    }

    /// With objects, by the serializer of this name, such as `jdk`; or [#NO_OBJECTS].
    public PortType objects(String serializer) {
        return new PortType(connections, stack, serializer);
    }

    /// How many ports may be connected.
    public Connections connections() {
        return connections;
    }

    /// The stack in the stack notation, or [#AUTO].
    public String stack() {
        return stack;
    }

    /// The name of the serializer, or [#NO_OBJECTS].
    public String objects() {
        return objects;
    }

    /// In what another type differs from this one, for people; empty: in nothing.
    List<String> differences(PortType theirs) {
        var list = new ArrayList<String>();
        if (connections != theirs.connections) {
            list.add("connections: " + connections + " here, " + theirs.connections + " there");
        }
        if (!stack.equals(theirs.stack)) {
            list.add("stack: '" + stack + "' here, '" + theirs.stack + "' there");
        }
        if (!objects.equals(theirs.objects)) {
            list.add("objects: " + objects + " here, " + theirs.objects + " there");
        }
        return list;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PortType type && differences(type).isEmpty();
    }

    @Override
    public int hashCode() {
        return Objects.hash(connections, stack, objects);
    }

    @Override
    public String toString() {
        return connections + " stack=\"" + stack + "\" objects=" + objects;
    }
}
