package org.ibidem.serial.rewrite;

import java.io.Externalizable;
import java.io.IOException;
import java.io.Serializable;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.ibidem.serial.inside.ClassCode;
import org.ibidem.serial.inside.Hierarchy;
import org.ibidem.serial.inside.LevelFields;
import org.ibidem.serial.model.ClassLevel;
import org.ibidem.serial.model.Reflection.Own;
import org.jspecify.annotations.Nullable;

/// Says which classes can be rewritten, and what their objects consist of.
final class Judge {
    /// Of class files: constants that are computed when first used came with Java 11.
    private static final int OLDEST = 55;

    /// Longer methods are compiled late or never; at run time the code is split.
    private static final int MOST_FIELDS = 80;

    private final Pool pool;
    private final Map<Class<?>, Optional<String>> problems = new HashMap<>();

    Judge(Pool pool) {
        this.pool = pool;
    }

    /// Why a class is left alone; null: it need not be.
    @Nullable String problem(Class<?> type) throws IOException {
        var known = problems.get(type);
        if (known == null) {
            known = Optional.ofNullable(find(type));
            problems.put(type, known);
        }
        return known.orElse(null);
    }

    private @Nullable String find(Class<?> type) throws IOException {
        if (type.isRecord() || type.isEnum() || Enum.class.isAssignableFrom(type)) {
            return type.isRecord()
                    ? "a record: its canonical constructor is called either way"
                    : "an enum: only the place of a constant travels";
        }
        var code = pool.code(type);
        if (code == null) {
            return "its class file cannot be seen";
        }
        var own = ownWays(type, code);
        if (own != null) {
            return own;
        }
        if (!pool.has(type) && !code.isRewritten(hierarchy(type))) {
            return type.getName() + " is not among the classes given, nor rewritten before";
        }
        return above(type, code);
    }

    private static @Nullable String ownWays(Class<?> type, ClassCode code) {
        if (Externalizable.class.isAssignableFrom(type)) {
            return "Externalizable: its own methods write and read it";
        }
        for (var own : new Own[] {Own.WRITE, Own.READ, Own.RESOLVE}) {
            if (own.in(type) != null) {
                return "it has a " + own.method() + " of its own";
            }
        }
        if (code.has(ClassCode.VERSION) && !code.hasVersion()) {
            return "its serialVersionUID is not static and final, so Java computes another";
        }
        return code.has("serialPersistentFields")
                ? "it names what travels in serialPersistentFields"
                : null;
    }

    private @Nullable String above(Class<?> type, ClassCode code) throws IOException {
        if (code.version() < OLDEST) {
            return "compiled for a Java before 11";
        }
        var parent = type.getSuperclass();
        boolean first = !Serializable.class.isAssignableFrom(parent);
        var constructed = type;
        while (Serializable.class.isAssignableFrom(constructed)) {
            constructed = constructed.getSuperclass();
        }
        if (!constructs(constructed, type)) {
            return constructed.getName()
                    + ", its superclass, has no constructor without arguments for it";
        }
        var inherited = first ? null : problem(parent);
        if (inherited != null) {
            return "of its superclass " + parent.getName() + ": " + inherited;
        }
        int fields = hierarchy(type).size();
        return fields > MOST_FIELDS ? fields + " fields: that much code is better split" : null;
    }

    /// Whether a class has a constructor without arguments that objects of this subclass can be
    /// made with: what the JDK asks, which would initialize the class.
    private static boolean constructs(Class<?> parent, Class<?> type) {
        try {
            int flags = parent.getDeclaredConstructor().getModifiers();
            boolean near =
                    Objects.equals(parent.getClassLoader(), type.getClassLoader())
                            && parent.getPackageName().equals(type.getPackageName());
            return (flags & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0
                    || (near && !Modifier.isPrivate(flags));
        } catch (NoSuchMethodException _) {
            return false;
        }
    }

    /// The class and its serializable superclasses.
    Hierarchy hierarchy(Class<?> type) {
        var tiers = new ArrayList<LevelFields>();
        for (Class<?> c = type;
                c != null && Serializable.class.isAssignableFrom(c);
                c = c.getSuperclass()) {
            tiers.add(new LevelFields(c, ClassLevel.declared(c)));
        }
        Collections.reverse(tiers);
        return new Hierarchy(tiers);
    }

    /// The serialVersionUID that the JDK computes from the members of a class; null: it says one.
    @Nullable Long version(Class<?> type) throws IOException {
        var code = pool.code(type);
        if (code == null || code.hasVersion()) {
            return null;
        }
        return ComputedVersion.of(type, code.initializes());
    }
}
