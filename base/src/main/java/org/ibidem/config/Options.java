package org.ibidem.config;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// Binds the arguments of a layer to a record and prints a record as arguments: options are
/// records.
///
/// The record's no-argument constructor gives the defaults; its compact constructor checks, and
/// says what is wrong with an [IllegalArgumentException]. One value may stand without a name and is
/// then the first component. A record of another module must be public in an exported package, or
/// its package opened to this one; that of a driver or filter, to `org.ibidem.transport`.
public final class Options {
    private final String owner;
    private final Class<? extends Record> type;
    private final RecordComponent[] components;

    private Options(String owner, Class<? extends Record> type) {
        this.owner = owner;
        this.type = type;
        this.components = type.getRecordComponents();
    }

    /// The record that a layer's arguments stand for.
    ///
    /// @throws NotationException when an option is unknown, stands twice, or its value will not do
    public static <R extends Record> R bind(Class<R> type, Layer layer) {
        var options = new Options(layer.name(), type);
        var given = new HashMap<String, Argument>();
        for (var argument : layer.arguments()) {
            var name = options.nameOf(argument);
            if (given.put(name, argument) != null) {
                throw new NotationException(
                        argument.column(), "'" + name + "' of " + layer.name() + " is set twice");
            }
        }
        return type.cast(options.build(given, layer.column()));
    }

    /// The record with nothing set.
    public static <R extends Record> R defaults(Class<R> type) {
        try {
            Constructor<R> constructor = type.getDeclaredConstructor();
            constructor.trySetAccessible();
            return constructor.newInstance();
        } catch (ReflectiveOperationException e) {
            throw unusable(type, "it needs a constructor without arguments for the defaults", e);
        }
    }

    /// The arguments that stand for a record: what differs from the defaults, in the record's
    /// order.
    public static List<Argument> print(Record options) {
        var defaults = defaults(options.getClass());
        return Arrays.stream(options.getClass().getRecordComponents())
                .filter(c -> !Objects.equals(read(c, options), read(c, defaults)))
                .map(c -> Argument.of(c.getName(), Kind.of(c.getType()).print(read(c, options))))
                .toList();
    }

    /// The names of a record's options, in its order.
    public static List<String> names(Class<? extends Record> type) {
        return Arrays.stream(type.getRecordComponents()).map(RecordComponent::getName).toList();
    }

    private String nameOf(Argument argument) {
        if (argument.term() instanceof Layer stack) {
            throw new NotationException(
                    argument.column(),
                    owner
                            + " takes no stack in its parentheses: write '"
                            + owner
                            + " > "
                            + stack
                            + "'");
        }
        var names = names(type);
        if (argument.alone() && names.isEmpty()) {
            throw new NotationException(
                    argument.column(), owner + " has no options, read '" + argument + "'");
        }
        var name = argument.alone() ? names.getFirst() : argument.key();
        if (!names.contains(name)) {
            throw NotationException.unknown(argument.column(), "option of " + owner, name, names);
        }
        return name;
    }

    private Record build(Map<String, Argument> given, int column) {
        var defaults = defaults(type);
        var values = new Object[components.length];
        for (int i = 0; i < values.length; i++) {
            var argument = given.get(components[i].getName());
            values[i] =
                    argument == null
                            ? read(components[i], defaults)
                            : value(argument, components[i]);
        }
        try {
            return construct(values);
        } catch (IllegalArgumentException e) {
            int place = culprit(given, defaults).map(Argument::column).orElse(column);
            throw new NotationException(place, owner + ": " + e.getMessage());
        }
    }

    private Object value(Argument argument, RecordComponent component) {
        var value = (Value) argument.term();
        try {
            return Kind.of(component.getType()).read(value.text(), component.getType());
        } catch (IllegalArgumentException e) {
            throw new NotationException(
                    value.column(), component.getName() + " of " + owner + ": " + e.getMessage());
        }
    }

    /// The option that will not do even alone, if there is one.
    private Optional<Argument> culprit(Map<String, Argument> given, Record defaults) {
        for (int i = 0; i < components.length; i++) {
            var argument = given.get(components[i].getName());
            if (argument == null) {
                continue;
            }
            var values = Arrays.stream(components).map(c -> read(c, defaults)).toArray();
            values[i] = value(argument, components[i]);
            try {
                construct(values);
            } catch (IllegalArgumentException _) {
                return Optional.of(argument);
            }
        }
        return Optional.empty();
    }

    private Record construct(Object[] values) {
        var types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            var constructor = type.getDeclaredConstructor(types);
            constructor.trySetAccessible();
            return constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IllegalArgumentException wrong) {
                throw wrong;
            }
            throw unusable(type, "its constructor failed", e);
        } catch (ReflectiveOperationException e) {
            throw unusable(type, "its constructor cannot be called", e);
        }
    }

    private static Object read(RecordComponent component, Record from) {
        try {
            var accessor = component.getAccessor();
            accessor.trySetAccessible();
            return accessor.invoke(from);
        } catch (ReflectiveOperationException e) {
            throw unusable(from.getClass(), "'" + component.getName() + "' cannot be read", e);
        }
    }

    private static IllegalStateException unusable(Class<?> type, String why, Exception cause) {
        return new IllegalStateException(
                type.getName()
                        + " cannot hold options: "
                        + why
                        + " (and it must be public in an exported package, or its package open to"
                        + " org.ibidem.transport)",
                cause);
    }
}
