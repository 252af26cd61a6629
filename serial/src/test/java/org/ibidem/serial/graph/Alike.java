package org.ibidem.serial.graph;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.lang.reflect.RecordComponent;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.stream.Stream;

/// Whether two graphs are of one form: the same classes and values, and the same objects shared.
///
/// Fields of classes outside the JDK are compared by reflection, collections by their elements,
/// other classes of the JDK by `equals`. By loops, so depth does no harm.
@SuppressWarnings("ReferenceEquality") // which objects are shared is what it compares
public final class Alike {
    private record Pair(Object one, Object other, String path) {}

    private final IdentityHashMap<Object, Object> seen = new IdentityHashMap<>();
    private final Deque<Pair> open = new ArrayDeque<>();
    private final IdentityHashMap<Object, Set<Object>> copies = new IdentityHashMap<>();
    private final Map<Class<?>, Boolean> values = new HashMap<>();
    private final boolean loose;

    /// Whether the classes have methods of their own.
    private final boolean hooked;

    /// Whether records are resolved.
    private final boolean resolving;

    private Alike(boolean loose, boolean hooked, boolean resolving) {
        this.loose = loose;
        this.hooked = hooked;
        this.resolving = resolving;
    }

    /// The first difference; null: there is none.
    public static String difference(Object one, Object other) {
        return new Alike(false, false, false).compare(one, other);
    }

    /// As [#difference], but records may be missing or copied: a record that is part of itself is
    /// null there until it is made, so it depends on the order of fields which of them are met too
    /// early; and which are values is for the writer's version of the class to say.
    public static String differenceBesideRecords(Object one, Object other) {
        return new Alike(true, false, false).compare(one, other);
    }

    /// As [#differenceBesideRecords], but what is part of itself may be there as it was before its
    /// `readResolve`: of several in a circle it depends on the order of fields which is met so, and
    /// those of a class's own type come last here.
    ///
    /// @param resolving whether records have such a method: then anything may be missing
    public static String differenceBesideResolved(Object one, Object other, boolean resolving) {
        return new Alike(true, true, resolving).compare(one, other);
    }

    /// Whether objects of a class can stand for others when they are read.
    static boolean resolves(Class<?> type) {
        for (var in = type; in != null && in.getClassLoader() != null; in = in.getSuperclass()) {
            if (Stream.of(in.getDeclaredMethods())
                    .anyMatch(method -> method.getName().equals("readResolve"))) {
                return true;
            }
        }
        return false;
    }

    /// Whether another may be in its place: it was met before it was whole.
    private boolean isEarly(Object object) {
        return object == null ? resolving : hooked && resolves(object.getClass());
    }

    private String compare(Object one, Object other) {
        open.push(new Pair(one, other, "graph"));
        while (!open.isEmpty()) {
            var pair = open.pop();
            var difference = compare(pair);
            if (difference != null) {
                return pair.path + ": " + difference;
            }
        }
        return null;
    }

    private String compare(Pair pair) {
        var one = pair.one;
        var other = pair.other;
        if (one == null || other == null) {
            boolean missing = loose && (one instanceof Record || other instanceof Record);
            return one == other || missing || isEarly(one) || isEarly(other)
                    ? null
                    : one + " and " + other;
        }
        if (one.getClass() != other.getClass()
                && !(Proxy.isProxyClass(one.getClass()) && Proxy.isProxyClass(other.getClass()))) {
            return isEarly(one) || isEarly(other)
                    ? null
                    : "a " + one.getClass() + " and a " + other.getClass();
        }
        if (isValue(one)) {
            return one.equals(other) ? null : one + " and " + other;
        }
        if (isValue(one.getClass()) || (loose && one instanceof Record)) {
            return isNew(one, other) ? inside(pair) : null;
        }
        var before = seen.putIfAbsent(one, other);
        if (before != null) {
            return before == other ? null : "shared in one and not in the other";
        }
        return inside(pair);
    }

    private static boolean isValue(Object object) {
        return (object instanceof Number && object instanceof Comparable<?>)
                || object instanceof String
                || object instanceof Character
                || object instanceof Boolean
                || object instanceof Enum
                || object instanceof Class;
    }

    /// Records of nothing but values are values themselves, whose identity does not travel. None is
    /// that can be a part of itself.
    private boolean isValue(Class<?> type) {
        var known = values.get(type);
        if (known == null) {
            values.put(type, false); // who meets it on the way is a part of it
            known = type.isRecord() && hasValues(type);
            values.put(type, known);
        }
        return known;
    }

    private boolean hasValues(Class<?> record) {
        return Stream.of(record.getRecordComponents())
                .map(RecordComponent::getType)
                .allMatch(part ->
                        part.isPrimitive()
                                || part.isEnum()
                                || part == Integer.class
                                || part == String.class
                                || isValue(part));
    }

    /// Whether these two have not been compared yet: both may be met by many ways.
    private boolean isNew(Object one, Object other) {
        return copies.computeIfAbsent(one, _ -> Collections.newSetFromMap(new IdentityHashMap<>()))
                .add(other);
    }

    private String inside(Pair pair) {
        var one = pair.one;
        if (one.getClass().isArray()) {
            return elements(pair);
        }
        if (one instanceof Map<?, ?> map && isJdk(one)) {
            var other = (Map<?, ?>) pair.other;
            return one instanceof IdentityHashMap
                    ? entries(new HashMap<>(map), new HashMap<>(other), pair.path)
                    : entries(map, other, pair.path);
        }
        if (one instanceof Collection<?> all && isJdk(one)) {
            return elements(all, (Collection<?>) pair.other, pair.path);
        }
        if (one instanceof Random random) {
            return random.nextLong() == ((Random) pair.other).nextLong() ? null : "random";
        }
        return isJdk(one)
                ? Objects.equals(one.toString(), pair.other.toString())
                        ? null
                        : one + " and " + pair.other
                : fields(pair);
    }

    private static boolean isJdk(Object object) {
        return object.getClass().getClassLoader() == null;
    }

    private String elements(Pair pair) {
        int length = Array.getLength(pair.one);
        if (length != Array.getLength(pair.other)) {
            return length + " and " + Array.getLength(pair.other) + " elements";
        }
        if (pair.one instanceof Object[] one) {
            for (int i = 0; i < length; i++) {
                open.push(new Pair(one[i], ((Object[]) pair.other)[i], pair.path + "[" + i + "]"));
            }
            return null;
        }
        for (int i = 0; i < length; i++) {
            if (!Array.get(pair.one, i).equals(Array.get(pair.other, i))) {
                return "element " + i;
            }
        }
        return null;
    }

    private String elements(Collection<?> one, Collection<?> other, String path) {
        if (one.size() != other.size()) {
            return one.size() + " and " + other.size() + " elements";
        }
        if (one instanceof Set && !(one instanceof SortedSet) && !ordered(one)) {
            return other.containsAll(one) ? null : one + " and " + other;
        }
        int number = 0;
        Iterator<?> others = other.iterator();
        for (var element : one) {
            open.push(new Pair(element, others.next(), path + "{" + number++ + "}"));
        }
        return null;
    }

    private static boolean ordered(Object collection) {
        return collection.getClass().getSimpleName().startsWith("Linked");
    }

    private String entries(Map<?, ?> one, Map<?, ?> other, String path) {
        if (one.size() != other.size()) {
            return one.size() + " and " + other.size() + " entries";
        }
        if (one instanceof SortedMap || ordered(one)) {
            var others = other.entrySet().iterator();
            for (var entry : one.entrySet()) {
                var there = others.next();
                open.push(new Pair(entry.getKey(), there.getKey(), path + "{key}"));
                open.push(
                        new Pair(
                                entry.getValue(),
                                there.getValue(),
                                path + "{" + entry.getKey() + "}"));
            }
            return null;
        }
        for (var entry : one.entrySet()) {
            if (!other.containsKey(entry.getKey())) {
                return "no " + entry.getKey();
            }
            open.push(
                    new Pair(
                            entry.getValue(),
                            other.get(entry.getKey()),
                            path + "{" + entry.getKey() + "}"));
        }
        return null;
    }

    private String fields(Pair pair) {
        for (Class<?> c = pair.one.getClass();
                c != null && c != Object.class;
                c = c.getSuperclass()) {
            if (c.getClassLoader() == null) {
                return inherited(pair);
            }
            for (var field : c.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    push(field, pair);
                }
            }
        }
        return null;
    }

    /// What a class of the JDK above the class holds.
    private String inherited(Pair pair) {
        return switch (pair.one) {
            case Map<?, ?> map -> entries(map, (Map<?, ?>) pair.other, pair.path);
            case Collection<?> all -> elements(all, (Collection<?>) pair.other, pair.path);
            case Proxy _ -> {
                open.push(
                        new Pair(
                                Proxy.getInvocationHandler(pair.one),
                                Proxy.getInvocationHandler(pair.other),
                                pair.path + ".h"));
                yield null;
            }
            default -> null;
        };
    }

    private void push(Field field, Pair pair) {
        field.setAccessible(true);
        try {
            open.push(
                    new Pair(
                            field.get(pair.one),
                            field.get(pair.other),
                            pair.path + "." + field.getName()));
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }
}
