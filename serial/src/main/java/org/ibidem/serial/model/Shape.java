package org.ibidem.serial.model;

import java.io.Externalizable;
import java.io.InvalidClassException;
import java.io.Serializable;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.ibidem.serial.wire.Description;
import org.jspecify.annotations.Nullable;

/// A class of which objects are made, with all of its hierarchy that takes part.
public final class Shape {
    /// The class.
    public final Class<?> type;

    /// What it is.
    public final Description.Kind kind;

    /// The class and its serializable superclasses, from the top down.
    public final List<ClassLevel> levels;

    /// Whether it is sent although it is not serializable.
    public final boolean extended;

    /// Its `writeReplace`.
    public final @Nullable MethodHandle replacer;

    /// Its `readResolve`.
    public final @Nullable MethodHandle resolver;

    private Shape(Class<?> type, boolean extended) throws InvalidClassException {
        this.type = type;
        this.extended = extended;
        this.kind = kind(type);
        this.levels =
                switch (kind) {
                    case OBJECT -> levels(type, extended);
                    case PROXY -> List.of(ClassLevel.of(Proxy.class));
                    default -> List.of(extended ? ClassLevel.extended(type) : ClassLevel.of(type));
                };
        this.replacer = Reflection.Own.REPLACE.in(type);
        this.resolver = Reflection.Own.RESOLVE.in(type);
    }

    /// A serializable class.
    public static Shape of(Class<?> type) throws InvalidClassException {
        return new Shape(type, false);
    }

    /// Any class, as if it were serializable.
    public static Shape extended(Class<?> type) throws InvalidClassException {
        return new Shape(type, !Serializable.class.isAssignableFrom(type));
    }

    private static Description.Kind kind(Class<?> type) {
        if (type.isRecord()) {
            return Description.Kind.RECORD;
        }
        if (Proxy.isProxyClass(type)) {
            return Description.Kind.PROXY;
        }
        return Externalizable.class.isAssignableFrom(type)
                ? Description.Kind.EXTERNAL
                : Description.Kind.OBJECT;
    }

    private static List<ClassLevel> levels(Class<?> type, boolean all)
            throws InvalidClassException {
        var levels = new ArrayList<ClassLevel>();
        for (Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass()) {
            if (Serializable.class.isAssignableFrom(c)) {
                levels.add(ClassLevel.of(c));
            } else if (all) {
                levels.add(ClassLevel.extended(c));
            }
        }
        Collections.reverse(levels);
        return List.copyOf(levels);
    }

    /// A constructor for new objects; null: there can be none.
    public @Nullable Constructor<?> constructor() {
        if (kind == Description.Kind.RECORD || Modifier.isAbstract(type.getModifiers())) {
            return null;
        }
        if (kind == Description.Kind.EXTERNAL) {
            return Reflection.externalConstructor(type);
        }
        try {
            return extended ? Reflection.bareConstructor(type) : Reflection.constructor(type);
        } catch (NoSuchMethodException _) {
            return null;
        }
    }

    /// Whether the fields of all levels can be written and read by one piece of code.
    public boolean isPlain() {
        if (kind != Description.Kind.OBJECT || constructor() == null) {
            return false;
        }
        for (var level : levels) {
            if (level.isCustom() || !level.isReachable() || hasUnshared(level)) {
                return false;
            }
        }
        return resolver == null;
    }

    private static boolean hasUnshared(ClassLevel level) {
        for (var slot : level.slots) {
            if (slot.unshared()) {
                return true;
            }
        }
        return false;
    }

    /// As it is described.
    public Description description(int flags) {
        var names = new ArrayList<String>();
        if (kind == Description.Kind.PROXY) {
            for (var each : type.getInterfaces()) {
                names.add(each.getName());
            }
        }
        var described = new ArrayList<Description.Level>();
        for (var level : levels) {
            described.add(level.described());
        }
        return new Description(
                kind,
                flags | (extended ? Description.EXTENDED : 0),
                type.getName(),
                List.copyOf(names),
                List.copyOf(described));
    }
}
