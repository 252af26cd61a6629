package org.ibidem.serial;

import java.io.ObjectInputFilter;
import java.io.ObjectInputFilter.FilterInfo;
import java.io.ObjectInputFilter.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.ibidem.serial.wire.Gate;
import org.ibidem.serial.wire.Limits;
import org.jspecify.annotations.Nullable;

/// What a receiver lets in: an allow-list of classes and bounds on what an object graph may cost
/// (JEP 290). Immutable: each method gives a changed copy.
///
/// Always allowed: primitives and their arrays, the boxes, strings, big numbers, `java.time`
/// values, UUIDs, and the collections of `java.util` and `java.util.concurrent`, with allowed
/// elements.
///
/// Proxies are let in where `java.lang.reflect.Proxy` is allowed by name, and each of their
/// interfaces and the handler's class; lambdas where `java.lang.invoke.SerializedLambda` is, and
/// the class that captured them.
public final class ObjectPolicy {
    /// Values and plain collections, and nothing else.
    public static final ObjectPolicy NOTHING_BUT_VALUES =
            new ObjectPolicy(List.of(), Limits.DEFAULT, null);

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

    /// How deep the JDK's stream may go, which needs the stack.
    private static final int STACK = 1_000;

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

    /// As decoders ask.
    Gate gate() {
        var policy = this;
        return new Gate() {
            @Override
            public boolean allows(String className) {
                return policy.allows(className);
            }

            @Override
            public ClassLoader loader() {
                return policy.loader();
            }

            @Override
            public Limits limits() {
                return limits;
            }

            @Override
            public ObjectInputFilter filter() {
                return policy::judge;
            }
        };
    }

    /// Decides about one class, by name, before it is loaded.
    boolean allows(String className) {
        for (var pattern : allowed) {
            if (matches(pattern, className)) {
                return true;
            }
        }
        return Reviewed.has(className);
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
        return info ->
                info.depth() > STACK || announced.addAndGet(arrayBytes(info)) > limits.memory()
                        ? Status.REJECTED
                        : judge(info);
    }

    private Status judge(FilterInfo info) {
        if (info.depth() > limits.depth()
                || info.references() > limits.references()
                || info.arrayLength() > limits.array()
                || info.streamBytes() > limits.bytes()) {
            return Status.REJECTED;
        }
        var type = info.serialClass();
        if (type == null) {
            return Status.UNDECIDED;
        }
        while (type.isArray()) {
            type = type.getComponentType();
        }
        return type.isPrimitive() || allows(type.getName()) ? Status.ALLOWED : Status.REJECTED;
    }

    private static long arrayBytes(FilterInfo info) {
        var array = info.serialClass();
        var type = array == null ? null : array.getComponentType();
        if (type == null || info.arrayLength() < 0) {
            return 0;
        }
        return info.arrayLength() * PRIMITIVES.getOrDefault(type, Long.BYTES);
    }
}
