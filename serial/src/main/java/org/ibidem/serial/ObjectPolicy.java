package org.ibidem.serial;

import java.io.ObjectInputFilter;
import java.io.ObjectInputFilter.FilterInfo;
import java.io.ObjectInputFilter.Status;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.ibidem.Visible;
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
            new ObjectPolicy(List.of(), _ -> false, Limits.DEFAULT, null, null);

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

    private static final String EVERYTHING = "**";
    private static final String NO_PACKAGE = "*";

    /// A name, perhaps with what stands for more at its end.
    private static final Pattern PATTERN =
            Pattern.compile("\\*|[^*\\s]+(?<![.$])([.]\\*\\*?|[$]\\*)?");

    private static final AtomicBoolean warned = new AtomicBoolean();

    private final List<String> allowed;
    private final Predicate<String> also;
    private final Limits limits;
    private final @Nullable ClassLoader loader;
    private final @Nullable String setting;

    private ObjectPolicy(
            List<String> allowed,
            Predicate<String> also,
            Limits limits,
            @Nullable ClassLoader loader,
            @Nullable String setting) {
        this.allowed = allowed;
        this.also = also;
        this.limits = limits;
        this.loader = loader;
        this.setting = setting;
    }

    /// Lets this class in, and its superclasses.
    public ObjectPolicy allow(Class<?> type) {
        var names = new LinkedHashSet<String>();
        addWithSuperclasses(type, names);
        return with(names);
    }

    private static void addWithSuperclasses(Class<?> type, Set<String> names) {
        names.add(type.getName());
        for (var above = type.getSuperclass();
                above != null && above != Object.class;
                above = above.getSuperclass()) {
            names.add(above.getName());
        }
    }

    /// Lets in a class by its binary name, a package (`com.example.*`), a package with all below it
    /// (`com.example.**`), the classes nested in one (`com.example.Order$*`), or those that are in
    /// no package (`*`). The superclasses of a class have to be let in, too, as the filters of the
    /// JDK have it: their code reads their part of the object.
    public ObjectPolicy allow(String pattern) {
        if (pattern.equals(EVERYTHING)) {
            throw new IllegalArgumentException(
                    "'**' would let in whatever the class loader has; if you want that, call"
                            + " unsafelyAllowEverything()");
        }
        if (!PATTERN.matcher(pattern).matches()) {
            throw new IllegalArgumentException(
                    "allow a class (com.example.Order), a package (com.example.*), all below it"
                            + " (com.example.**), the classes in a class (com.example.Order$*) or"
                            + " those in no package (*), not '"
                            + pattern
                            + "'");
        }
        return with(List.of(pattern));
    }

    /// Lets in the classes, too, whose binary names this says yes to: for who learns only later
    /// what is to come. Asked by whichever thread reads, for each class that comes until it is let
    /// in.
    public ObjectPolicy allowWhere(Predicate<String> names) {
        return new ObjectPolicy(allowed, also.or(names), limits, loader, setting);
    }

    private ObjectPolicy with(Collection<String> patterns) {
        var more = new ArrayList<>(allowed);
        more.addAll(patterns);
        return new ObjectPolicy(List.copyOf(more), also, limits, loader, setting);
    }

    /// Lets in a sealed class or interface and all that it permits, and what those that are sealed
    /// permit. Below one that is `non-sealed` nobody knows what there is: it comes in itself, and
    /// what extends it has to be allowed for itself.
    ///
    /// @throws IllegalArgumentException when the type is not sealed
    public ObjectPolicy allowSealed(Class<?> type) {
        if (!type.isSealed()) {
            throw new IllegalArgumentException(
                    type.getName() + " is not sealed; allow its classes by name, or their package");
        }
        var names = new LinkedHashSet<String>();
        addPermitted(type, names);
        addWithSuperclasses(type, names);
        return with(names);
    }

    private static void addPermitted(Class<?> type, Set<String> names) {
        var permitted = type.getPermittedSubclasses();
        if (names.add(type.getName()) && permitted != null) {
            for (var each : permitted) {
                addPermitted(each, names);
            }
        }
    }

    /// Lets in **whatever the class loader has**. Whoever sends then chooses which classes are
    /// loaded here and which of their methods are called (`readObject`, `readResolve`, `hashCode`,
    /// `compareTo`), and for many libraries it is published how that runs any command. Only for
    /// peers that may run code here anyway, such as processes of one program that one user started
    /// on ports that nobody else reaches. The bounds hold, and the log says it once.
    public ObjectPolicy unsafelyAllowEverything() {
        if (!warned.getAndSet(true)) {
            System.getLogger(ObjectPolicy.class.getName())
                    .log(
                            System.Logger.Level.WARNING,
                            "a reader of this process takes objects of every class that is found:"
                                    + " any peer that sends to it can run code here; allow classes by"
                                    + " name, package or sealed type instead");
        }
        return with(List.of(EVERYTHING));
    }

    /// With these bounds.
    public ObjectPolicy limits(Limits bounds) {
        return new ObjectPolicy(allowed, also, bounds, loader, setting);
    }

    /// Finds classes through this loader; otherwise through the context loader of the thread that
    /// reads.
    public ObjectPolicy loader(ClassLoader from) {
        return new ObjectPolicy(allowed, also, limits, from, setting);
    }

    /// Has what is refused name this setting, by which the user of a program lets more in.
    public ObjectPolicy setBy(String name) {
        return new ObjectPolicy(allowed, also, limits, loader, name);
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
            public String advice(String className) {
                return setting == null
                        ? Gate.super.advice(className)
                        : "if it is wanted, let it in where it is read: --java=-D"
                                + setting
                                + "="
                                + Visible.of(className);
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
        return Reviewed.has(className) || also.test(className);
    }

    private static boolean matches(String pattern, String name) {
        if (pattern.equals(EVERYTHING)) {
            return true;
        }
        if (pattern.equals(NO_PACKAGE)) {
            return name.indexOf('.') < 0;
        }
        if (pattern.endsWith("$*")) {
            return name.startsWith(pattern.substring(0, pattern.length() - 1));
        }
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
                announced.addAndGet(arrayBytes(info)) > limits.memory()
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
