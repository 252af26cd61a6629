package org.ibidem.serial.wire;

import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputFilter.Status;
import java.io.Serializable;
import java.util.HashSet;
import org.ibidem.Visible;
import org.jspecify.annotations.Nullable;

/// What stands between the bytes of a peer and this process: the gate, the JDK's filters (JEP 290,
/// JEP 415) and the budgets of one graph.
final class Screen {
    private static final int PRIMITIVE_NAME = 1;

    private final Gate gate;
    private final Limits limits;

    /// What the JVM-wide filter and filter factory make of the gate's filter; null when that is the
    /// gate's filter alone, which [#allow] and the budgets stand for.
    private final @Nullable ObjectInputFilter filter;

    private long memory;
    private long work;
    private long began;

    Screen(Gate gate) {
        this.gate = gate;
        this.limits = gate.limits();
        this.filter = combined(gate.filter());
    }

    /// As a stream of the JDK does it: factory(null, JVM-wide filter), then factory(that, ours).
    /// The JDK's own factory would put ours in the place of the JVM-wide one; here both are asked.
    @SuppressWarnings("ReferenceEquality") // whether nothing was added
    private static @Nullable ObjectInputFilter combined(ObjectInputFilter mine) {
        var factory = ObjectInputFilter.Config.getSerialFilterFactory();
        var first = factory.apply(null, ObjectInputFilter.Config.getSerialFilter());
        var both =
                factory.apply(first, first == null ? mine : ObjectInputFilter.merge(mine, first));
        if (first != null && both == null) {
            throw new IllegalStateException("the filter factory gave no filter after it gave one");
        }
        return both == mine ? null : both;
    }

    Gate gate() {
        return gate;
    }

    Limits limits() {
        return limits;
    }

    /// A new graph begins, for which all budgets are full.
    void begin(long at) {
        memory = 0;
        work = 0;
        began = at;
    }

    /// Checks what was counted. As every reference takes a byte, it need not be looked at for each.
    void check(long taken, long references) throws InvalidClassException {
        if (references > limits.references()) {
            throw refused("more than " + limits.references() + " references");
        }
        if (taken - began > limits.bytes()) {
            throw refused("more than " + limits.bytes() + " bytes");
        }
    }

    void depth(long depth) throws InvalidClassException {
        if (depth > limits.depth()) {
            throw refused("references nest more than " + limits.depth() + " deep");
        }
    }

    /// Decides about a class before it is loaded.
    ///
    /// @param name its binary name
    void allow(String name) throws InvalidClassException {
        var element = name;
        if (name.startsWith("[")) {
            int dimensions = name.lastIndexOf('[') + 1;
            element = name.substring(dimensions);
            if (element.length() == PRIMITIVE_NAME) {
                return;
            }
            if (element.startsWith("L") && element.endsWith(";")) {
                element = element.substring(1, element.length() - 1);
            }
        }
        require(element, "");
    }

    private void require(String name, String as) throws InvalidClassException {
        if (!gate.allows(name)) {
            throw new InvalidClassException(
                    Visible.of(name), "not allowed here" + as + "; " + gate.advice(name));
        }
    }

    /// Asks the filters about a class, and all that is asked about its superclasses.
    void enter(Class<?> type, Decoder from) throws InvalidClassException {
        filter(type, -1, from);
        superclasses(type, false, from);
    }

    /// Asks whether the superclasses are let in, from the lowest up: their code reads their part of
    /// the object. A stream of the JDK asks for each, too, as it is sent their descriptors.
    ///
    /// @param all also those that are not serializable
    void superclasses(Class<?> type, boolean all, Decoder from) throws InvalidClassException {
        for (var above = type.getSuperclass();
                above != null && above != Object.class;
                above = above.getSuperclass()) {
            if (all || Serializable.class.isAssignableFrom(above)) {
                require(above.getName(), ", as a superclass of " + type.getName());
                filter(above, -1, from);
            }
        }
    }

    /// Asks about those that are sent although they are not serializable; and about those that the
    /// class has at the other end alone. None of their code runs here, so they may be missing, or
    /// not let in.
    void superclasses(Class<?> type, Description there, Decoder from) throws InvalidClassException {
        if (there.has(Description.EXTENDED) && there.kind() == Description.Kind.OBJECT) {
            superclasses(type, true, from);
        }
        var here = new HashSet<String>();
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            here.add(each.getName());
        }
        for (var level : there.levels()) {
            if (!here.contains(level.name()) && gate.allows(level.name())) {
                try {
                    filter(load(level.name()), -1, from);
                } catch (ClassNotFoundException _) {
                    // what comes for it is thrown away
                }
            }
        }
    }

    Class<?> load(String name) throws ClassNotFoundException {
        try {
            return Class.forName(name, false, gate.loader());
        } catch (ClassNotFoundException e) { // who is told shows the name
            throw Visible.is(name) ? e : new ClassNotFoundException(Visible.of(name));
        }
    }

    ClassLoader loader() {
        return gate.loader();
    }

    /// Asks the JDK's filters, if there are others than ours.
    void filter(@Nullable Class<?> type, long length, Decoder from) throws InvalidClassException {
        var others = filter;
        if (others == null) {
            return;
        }
        Status status;
        try {
            status =
                    others.checkInput(
                            new Asked(
                                    type,
                                    length,
                                    from.depth(),
                                    from.references(),
                                    from.position() - began));
        } catch (RuntimeException e) {
            var failed = new InvalidClassException("filter status: REJECTED");
            failed.initCause(e);
            throw failed;
        }
        if (status == null || status == Status.REJECTED) {
            throw new InvalidClassException(
                    type == null ? null : type.getName(), "filter status: " + status);
        }
    }

    private record Asked(
            @Nullable Class<?> serialClass,
            long arrayLength,
            long depth,
            long references,
            long streamBytes)
            implements ObjectInputFilter.FilterInfo {}

    /// Before an array, or the table of a collection, is allocated.
    ///
    /// @param length elements, as announced
    /// @param bytes of one element
    void array(Class<?> type, int length, int bytes, Decoder from) throws InvalidClassException {
        if (length < 0 || length > limits.array()) {
            throw refused(
                    "an array of " + length + " elements; at most " + limits.array() + " are");
        }
        memory += (long) length * bytes;
        if (memory > limits.memory()) {
            throw refused("arrays of more than " + limits.memory() + " bytes together");
        }
        filter(type, length, from);
    }

    /// Before a key is hashed.
    void work(long steps) throws InvalidClassException {
        work = HandleReader.sum(work, steps);
        if (work > limits.work()) {
            throw refused("more than " + limits.work() + " steps of hashing");
        }
    }

    private static InvalidClassException refused(String what) {
        return new InvalidClassException(
                what + ": not allowed here; raise the ObjectPolicy's limits if it is wanted");
    }
}
