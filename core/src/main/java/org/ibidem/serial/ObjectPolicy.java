package org.ibidem.serial;

import java.io.ObjectInputFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// What a receiver lets in: an allow-list of classes and bounds on what an object graph may cost
/// (JEP 290). Immutable: each method gives a changed copy.
///
/// Always allowed: primitives and their arrays, the boxes, strings, enums of allowed classes, big
/// numbers, `java.time` values, UUIDs, and the plain collections of `java.util`.
public final class ObjectPolicy {
    /// Values and plain collections, and nothing else.
    public static final ObjectPolicy NOTHING_BUT_VALUES =
            new ObjectPolicy(List.of(), Limits.DEFAULT, null);

    private static final Set<String> VALUES =
            Set.of(
                    "java.lang.Object",
                    "java.lang.Boolean",
                    "java.lang.Byte",
                    "java.lang.Character",
                    "java.lang.Short",
                    "java.lang.Integer",
                    "java.lang.Long",
                    "java.lang.Float",
                    "java.lang.Double",
                    "java.lang.Number",
                    "java.lang.String",
                    "java.lang.Enum",
                    "java.math.BigInteger",
                    "java.math.BigDecimal",
                    "java.util.ArrayDeque",
                    "java.util.ArrayList",
                    "java.util.Arrays$ArrayList",
                    "java.util.BitSet",
                    "java.util.CollSer",
                    "java.util.Date",
                    "java.util.EnumMap",
                    "java.util.HashMap",
                    "java.util.HashSet",
                    "java.util.LinkedHashMap",
                    "java.util.LinkedHashSet",
                    "java.util.LinkedList",
                    "java.util.Map$Entry",
                    "java.util.TreeMap",
                    "java.util.TreeSet",
                    "java.util.UUID");
    private static final String TIME = "java.time.";

    private static final Map<Class<?>, Integer> PRIMITIVES =
            Map.of(
                    boolean.class, 1,
                    byte.class, Byte.BYTES,
                    short.class, Short.BYTES,
                    char.class, Character.BYTES,
                    int.class, Integer.BYTES,
                    float.class, Float.BYTES,
                    long.class, Long.BYTES,
                    double.class, Double.BYTES);

    /// Bounds on one object graph.
    ///
    /// @param depth references inside references
    /// @param references objects and references in all
    /// @param array elements of one array
    /// @param memory bytes of all arrays and tables together, as announced: they are allocated
    ///   before their content has come
    /// @param bytes of the serialized form
    public record Limits(long depth, long references, long array, long memory, long bytes) {
        private static final int SHARE_OF_HEAP = 4;

        static final Limits DEFAULT =
                new Limits(
                        1_000,
                        10_000_000,
                        100_000_000,
                        Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP,
                        1L << 32);
    }

    private final List<String> allowed;
    private final Limits limits;
    private final @Nullable ClassLoader loader;

    private ObjectPolicy(List<String> allowed, Limits limits, @Nullable ClassLoader loader) {
        this.allowed = allowed;
        this.limits = limits;
        this.loader = loader;
    }

    /// Lets this class in.
    public ObjectPolicy allow(Class<?> type) {
        return allow(type.getName());
    }

    /// Lets in a class by its binary name, a package (`com.example.*`), or a package with all below
    /// it (`com.example.**`).
    public ObjectPolicy allow(String pattern) {
        int star = pattern.indexOf('*');
        if (pattern.isBlank()
                || star == 0
                || (star > 0 && !pattern.endsWith(".*") && !pattern.endsWith(".**"))) {
            throw new IllegalArgumentException(
                    "allow a class (com.example.Order), a package (com.example.*) or all below it (com.example.**), not '"
                            + pattern
                            + "'");
        }
        var more = new ArrayList<>(allowed);
        more.add(pattern);
        return new ObjectPolicy(List.copyOf(more), limits, loader);
    }

    /// With these bounds.
    public ObjectPolicy limits(Limits bounds) {
        return new ObjectPolicy(allowed, bounds, loader);
    }

    /// Finds classes through this loader; otherwise through the context loader of the thread that
    /// reads.
    public ObjectPolicy loader(ClassLoader from) {
        return new ObjectPolicy(allowed, limits, from);
    }

    ClassLoader loader() {
        var mine = loader != null ? loader : Thread.currentThread().getContextClassLoader();
        return mine != null ? mine : ClassLoader.getSystemClassLoader();
    }

    /// Decides about one class, by name, before it is loaded.
    boolean allows(String className) {
        return VALUES.contains(className)
                || className.startsWith(TIME)
                || allowed.stream().anyMatch(pattern -> matches(pattern, className));
    }

    private static boolean matches(String pattern, String name) {
        if (pattern.endsWith(".**")) {
            return name.startsWith(pattern.substring(0, pattern.length() - 2));
        }
        if (pattern.endsWith(".*")) {
            int dot = pattern.length() - 1;
            return name.startsWith(pattern.substring(0, dot)) && name.indexOf('.', dot) < 0;
        }
        return pattern.equals(name);
    }

    /// The bounds and the allow-list as the JDK's stream asks for them, for one graph; whatever
    /// filter the process has comes first.
    ObjectInputFilter filter() {
        var announced = new AtomicLong();
        return info -> {
            if (info.depth() > limits.depth
                    || info.references() > limits.references
                    || info.arrayLength() > limits.array
                    || info.streamBytes() > limits.bytes
                    || announced.addAndGet(arrayBytes(info)) > limits.memory) {
                return ObjectInputFilter.Status.REJECTED;
            }
            var type = info.serialClass();
            if (type == null) {
                return ObjectInputFilter.Status.UNDECIDED;
            }
            while (type.isArray()) {
                type = type.getComponentType();
            }
            return type.isPrimitive() || allows(type.getName())
                    ? ObjectInputFilter.Status.ALLOWED
                    : ObjectInputFilter.Status.REJECTED;
        };
    }

    private static long arrayBytes(ObjectInputFilter.FilterInfo info) {
        var array = info.serialClass();
        var type = array == null ? null : array.getComponentType();
        if (type == null || info.arrayLength() < 0) {
            return 0;
        }
        return info.arrayLength() * PRIMITIVES.getOrDefault(type, Long.BYTES);
    }
}
