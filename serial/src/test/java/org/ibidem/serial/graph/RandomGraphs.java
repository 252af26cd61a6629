package org.ibidem.serial.graph;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/// Graphs of objects of given classes, with shared parts and cycles.
@SuppressWarnings({"EnumOrdinal", "JdkObsolete"}) // all kinds of objects are wanted
public final class RandomGraphs {
    private static final int DEEP = 6;
    private static final int LARGE = 200;

    private final RandomGenerator random;
    private final List<Class<?>> classes;
    private final List<Object> made = new ArrayList<>();

    private RandomGraphs(RandomGenerator random, List<Class<?>> classes) {
        this.random = random;
        this.classes = classes;
    }

    /// A graph.
    public static Object of(RandomGenerator random, List<Class<?>> classes) {
        return new RandomGraphs(random, classes).any(0);
    }

    private Object known(Class<?> type) {
        var fit = made.stream().filter(type::isInstance).toList();
        return fit.isEmpty() ? null : fit.get(random.nextInt(fit.size()));
    }

    private <T> T keep(T object) {
        made.add(object);
        return object;
    }

    private Object any(int depth) {
        return switch (random.nextInt(9)) {
            case 0 -> text();
            case 1 -> value(Integer.class, depth);
            case 2 -> value(List.class, depth);
            case 3 -> value(Map.class, depth);
            case 4 -> value(Object[].class, depth);
            case 5 -> value(PlainTypes.Node.class, depth);
            default -> value(classes.get(random.nextInt(classes.size())), depth);
        };
    }

    private String text() {
        return keep(
                switch (random.nextInt(5)) {
                    case 0 -> "";
                    case 1 -> "\u20ac" + random.nextInt(9);
                    case 2 -> "long".repeat(random.nextInt(3000));
                    default -> "text" + random.nextInt(9);
                });
    }

    private Object value(Class<?> type, int depth) {
        if (type.isPrimitive()) {
            return primitive(type);
        }
        int choice = random.nextInt(8);
        if (choice == 0 || depth > DEEP || made.size() > LARGE) {
            return choice == 0 ? null : known(type);
        }
        var before = choice == 1 ? known(type) : null;
        return before != null ? before : fresh(type, depth + 1);
    }

    private Object primitive(Class<?> type) {
        return switch (type.descriptorString()) {
            case "Z" -> random.nextBoolean();
            case "B" -> (byte) random.nextInt();
            case "S" -> (short) random.nextInt();
            case "C" -> (char) random.nextInt();
            case "I" -> random.nextInt();
            case "J" -> random.nextLong();
            case "F" -> Float.intBitsToFloat(random.nextInt(0x7F80_0000));
            default -> random.nextDouble();
        };
    }

    private Object fresh(Class<?> type, int depth) {
        if (type.isArray()) {
            return array(type.getComponentType(), depth);
        }
        if (type == PlainTypes.Color.class) {
            return PlainTypes.Color.values()[random.nextInt(3)];
        }
        if (type == PlainTypes.Point3.class) {
            return keep(new PlainTypes.Point3(random.nextInt(), random.nextDouble(), text()));
        }
        if (type.getName().startsWith("generated") || type == PlainTypes.Node.class) {
            return object(type, depth);
        }
        return switch (type.getSimpleName()) {
            case "String" -> text();
            case "Integer", "Number" -> random.nextInt();
            case "List" -> list(depth);
            case "Set" -> set();
            case "Map" -> map(depth);
            default -> any(depth);
        };
    }

    private Object array(Class<?> component, int depth) {
        var array =
                keep(Array.newInstance(component, random.nextInt(random.nextBoolean() ? 4 : 40)));
        for (int i = 0; i < Array.getLength(array); i++) {
            Array.set(array, i, value(component, depth));
        }
        return array;
    }

    private List<Object> list(int depth) {
        List<Object> list = keep(random.nextBoolean() ? new ArrayList<>() : new LinkedList<>());
        for (int left = random.nextInt(5); left > 0; left--) {
            list.add(any(depth));
        }
        return list;
    }

    /// Of values only, for hashes of other objects would not be the same there.
    private Set<Object> set() {
        var set = keep(new LinkedHashSet<Object>());
        for (int left = random.nextInt(5); left > 0; left--) {
            set.add(random.nextBoolean() ? text() : random.nextInt());
        }
        return set;
    }

    private Map<Object, Object> map(int depth) {
        Map<Object, Object> map =
                keep(
                        switch (random.nextInt(3)) {
                            case 0 -> new HashMap<>();
                            case 1 -> new LinkedHashMap<>();
                            default -> new TreeMap<>();
                        });
        for (int left = random.nextInt(5); left > 0; left--) {
            map.put(text(), any(depth));
        }
        return map;
    }

    private Object object(Class<?> type, int depth) {
        try {
            if (type.isRecord()) {
                var constructor = type.getConstructors()[0];
                var types = constructor.getParameterTypes();
                var values = new Object[types.length];
                for (int i = 0; i < values.length; i++) {
                    values[i] = value(types[i], depth);
                }
                return keep(constructor.newInstance(values));
            }
            var object = keep(type.getConstructor().newInstance());
            for (Class<?> c = type; c != Object.class; c = c.getSuperclass()) {
                for (var field : c.getDeclaredFields()) {
                    fill(field, object, depth);
                }
            }
            return object;
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("generated code is wrong", e);
        }
    }

    private void fill(Field field, Object object, int depth) throws IllegalAccessException {
        if ((field.getModifiers() & Modifier.STATIC) == 0
                && !field.getName().equals(RandomHooks.LATE)) {
            field.setAccessible(true);
            field.set(object, value(field.getType(), depth));
        }
    }
}
