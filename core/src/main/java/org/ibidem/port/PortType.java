package org.ibidem.port;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What a port can do and promises: only ports of equal type connect. Immutable: each method gives
/// a changed copy.
///
/// ```java
/// var type = PortType.manyToOne().with(Capability.UPCALLS).objects("jdk").stack("checksum > tcp");
/// ```
///
/// As text: `many-to-one explicit timed poll upcalls fifo reliable object(jdk) "checksum > tcp"`.
public final class PortType {
    /// How many ports may be connected to each other.
    public enum Connections {
        /// One send port, one receive port.
        ONE_TO_ONE("one-to-one", 0),
        /// Several send ports, one receive port each.
        MANY_TO_ONE("many-to-one", 1),
        /// One send port, several receive ports.
        ONE_TO_MANY("one-to-many", 2),
        /// Several send ports, each to several receive ports. Where several senders write messages
        /// of several frames to the same receivers they may wait for each other for ever: such
        /// senders take turns.
        MANY_TO_MANY("many-to-many", 3);

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

        /// Whether a receive port may have several senders.
        boolean severalSenders() {
            return (code & 1) != 0;
        }

        /// Whether a send port may have several receivers.
        boolean severalReceivers() {
            return (code & 2) != 0;
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

    /// The serializer of a type that carries no objects.
    static final String NO_SERIALIZER = "";

    private static final int LONGEST = 1024;

    private static final Set<Capability> USUAL =
            EnumSet.of(
                    Capability.EXPLICIT,
                    Capability.TIMED,
                    Capability.POLL,
                    Capability.FIFO,
                    Capability.RELIABLE);

    private final String name;
    private final Connections connections;
    private final Set<Capability> capabilities;

    /// The same, a bit each: asked for each message.
    private final int bits;

    private final Data data;
    private final String serializer;
    private final String stack;
    private final boolean secret;

    private PortType(Shape shape, Set<Capability> capabilities, Payload payload, String stack) {
        this.name = shape.name;
        this.connections = shape.connections;
        this.secret = shape.secret;
        this.capabilities = checked(capabilities);
        this.bits = capabilities.stream().mapToInt(PortType::bit).sum();
        this.data = payload.data;
        this.serializer = payload.serializer;
        this.stack = stack.strip();
        if (stack.length() > LONGEST || serializer.length() > LONGEST) {
            throw new IllegalArgumentException(
                    "a stack or a serializer's name has at most " + LONGEST + " characters");
        }
    }

    private record Shape(String name, Connections connections, boolean secret) {}

    private record Payload(Data data, String serializer) {}

    private static Set<Capability> checked(Set<Capability> wanted) {
        requireWith(wanted, Capability.TOTAL, Capability.NUMBERED);
        requireWith(wanted, Capability.TIMED, Capability.EXPLICIT);
        requireWith(wanted, Capability.POLL, Capability.EXPLICIT);
        var set = EnumSet.noneOf(Capability.class);
        set.addAll(wanted);
        return Collections.unmodifiableSet(set);
    }

    private static void requireWith(Set<Capability> wanted, Capability one, Capability other) {
        if (wanted.contains(one) && !wanted.contains(other)) {
            throw new IllegalArgumentException(
                    "a port type that is " + one + " must be " + other + " too");
        }
    }

    /// A type with these capabilities, without objects, whose stack the selector chooses.
    ///
    /// @throws IllegalArgumentException when one of them needs another that is not among them
    public static PortType of(Connections connections, Set<Capability> capabilities) {
        return new PortType(
                new Shape("", connections, false),
                capabilities,
                new Payload(Data.DATA, NO_SERIALIZER),
                AUTO);
    }

    /// One sender, one receiver: explicit, timed and polled receive of data, fifo and reliable.
    public static PortType oneToOne() {
        return of(Connections.ONE_TO_ONE, USUAL);
    }

    /// One sender, several receivers; else as [#oneToOne].
    public static PortType oneToMany() {
        return of(Connections.ONE_TO_MANY, USUAL);
    }

    /// Several senders, one receiver; else as [#oneToOne].
    public static PortType manyToOne() {
        return of(Connections.MANY_TO_ONE, USUAL);
    }

    /// Several senders, several receivers; else as [#oneToOne]. Where several senders write to the
    /// same several receivers, messages should fit a frame, and not be flushed: longer ones may
    /// wait for each other in a circle.
    public static PortType manyToMany() {
        return of(Connections.MANY_TO_MANY, USUAL);
    }

    /// With these capabilities too; [Capability#TOTAL] brings [Capability#NUMBERED].
    ///
    /// @throws IllegalArgumentException when one of them needs another, such as `TIMED`, which
    ///   needs `EXPLICIT`
    public PortType with(Capability... more) {
        var set = EnumSet.noneOf(Capability.class);
        set.addAll(capabilities);
        for (var one : more) {
            set.add(one);
            if (one == Capability.TOTAL) {
                set.add(Capability.NUMBERED);
            }
        }
        return new PortType(shape(), set, new Payload(data, serializer), stack);
    }

    /// Without these capabilities; [Capability#EXPLICIT] takes `TIMED` and `POLL` with it.
    ///
    /// @throws IllegalArgumentException when one that stays needs one of them
    public PortType without(Capability... fewer) {
        var set = EnumSet.noneOf(Capability.class);
        set.addAll(capabilities);
        for (var one : fewer) {
            set.remove(one);
            if (one == Capability.EXPLICIT) {
                set.remove(Capability.TIMED);
                set.remove(Capability.POLL);
            }
        }
        return new PortType(shape(), set, new Payload(data, serializer), stack);
    }

    /// Over this stack, in the stack notation, such as `fragment(size=8k) > tcp`; or [#AUTO]. What
    /// is set from outside goes before it. Read when a port is opened.
    ///
    /// @throws IllegalArgumentException when it has more than 1024 characters
    public PortType stack(String notation) {
        return new PortType(shape(), capabilities, new Payload(data, serializer), notation);
    }

    /// With a name, at most 255 bytes, under which a stack can be set for it from outside: as
    /// `ibidem.stack.NAME`. Empty: without one.
    public PortType named(String itsName) {
        return new PortType(
                new Shape(itsName.isEmpty() ? "" : PortNames.check(itsName), connections, secret),
                capabilities,
                new Payload(data, serializer),
                stack);
    }

    /// Whose messages hold secrets beside what somebody else may have put there, so that how long
    /// they become when they are compressed would tell of the secrets: `auto` compresses nothing
    /// that a port of this type sends. A stack that is written with `compress` is what was wanted.
    /// The other end need not know.
    public PortType secret() {
        return new PortType(
                new Shape(name, connections, true),
                capabilities,
                new Payload(data, serializer),
                stack);
    }

    /// Whether it is [#secret()].
    boolean isSecret() {
        return secret;
    }

    private Shape shape() {
        return new Shape(name, connections, secret);
    }

    /// Carries bytes, data, or objects by the usual serializer.
    public PortType data(Data kind) {
        var usual = kind == Data.OBJECT ? ObjectCoder.USUAL : NO_SERIALIZER;
        return new PortType(shape(), capabilities, new Payload(kind, usual), stack);
    }

    /// Carries objects, by the serializer of this name, such as `jdk`. Looked for when a port is
    /// opened.
    public PortType objects(String serializer) {
        return new PortType(shape(), capabilities, new Payload(Data.OBJECT, serializer), stack);
    }

    /// Its name, or empty.
    public String name() {
        return name;
    }

    /// How many ports may be connected.
    public Connections connections() {
        return connections;
    }

    /// What its ports can do.
    public Set<Capability> capabilities() {
        return capabilities;
    }

    /// Whether its ports can do this.
    public boolean has(Capability capability) {
        return (bits & bit(capability)) != 0;
    }

    @SuppressWarnings("EnumOrdinal") // not for others
    private static int bit(Capability capability) {
        return 1 << capability.ordinal();
    }

    /// What its messages carry.
    public Data data() {
        return data;
    }

    /// The name of the serializer; empty where no objects are carried.
    public String serializer() {
        return serializer;
    }

    /// The stack in the stack notation, or [#AUTO].
    public String stack() {
        return stack;
    }

    /// Refuses what this type's ports cannot do.
    void require(Capability capability, String what) {
        if (!has(capability)) {
            throw new IllegalStateException(
                    what
                            + " needs the capability '"
                            + capability
                            + "', which this port's type has not: add it with PortType.with("
                            + capability.name()
                            + "), at both ends");
        }
    }

    /// Whether a class is described once on a connection: every message arrives, and has tags.
    boolean describes() {
        return data == Data.OBJECT && has(Capability.RELIABLE) && !has(Capability.UNCHECKED);
    }

    /// The capabilities on the wire.
    int capabilityBits() {
        return capabilities.stream().mapToInt(Capability::mask).reduce(0, (a, b) -> a | b);
    }

    /// In what another type differs from this one, for people; empty: in nothing.
    List<String> differences(PortType theirs) {
        var list = new ArrayList<String>();
        differ(list, "name", "'" + name + "'", "'" + theirs.name + "'");
        differ(list, "connections", connections, theirs.connections);
        for (var capability : Capability.values()) {
            if (has(capability) != theirs.has(capability)) {
                var here = has(capability) ? "yes here, no there" : "no here, yes there";
                list.add(capability + ": " + here);
            }
        }
        differ(list, "data", carried(), theirs.carried());
        differ(list, "stack", "'" + stack + "'", "'" + theirs.stack + "'");
        return list;
    }

    private static void differ(List<String> list, String what, Object here, Object there) {
        if (!here.equals(there)) {
            list.add(what + ": " + here + " here, " + there + " there");
        }
    }

    private String carried() {
        boolean plain = serializer.equals(NO_SERIALIZER) || serializer.equals(ObjectCoder.USUAL);
        return plain ? data.toString() : data + "(" + serializer + ")";
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PortType type && differences(type).isEmpty();
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, connections, capabilities, data, serializer, stack);
    }

    @Override
    public String toString() {
        return Stream.concat(
                        Stream.of(connections.toString()),
                        capabilities.stream().map(Capability::toString))
                .collect(
                        Collectors.joining(
                                " ",
                                name.isEmpty() ? "" : name + ": ",
                                " " + carried() + " \"" + stack + "\""));
    }
}
