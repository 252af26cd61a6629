package org.ibidem.serial.codec;

import org.ibidem.serial.wire.Codec;
import org.ibidem.serial.wire.Tag;
import org.jspecify.annotations.Nullable;

/// The codecs with tags of their own. Each is made when it is first asked for: a process that has
/// just begun waits for every class it loads.
final class Builtins {
    private static final @Nullable Codec[] BY_TAG = new @Nullable Codec[Tag.FIRST_CLASS];

    private static final int FIRST_ARRAY = 24;
    private static final int FIRST_CLASSES = 32;
    private static final int FIRST_LIST = 34;
    private static final int FIRST_MAP = 37;
    private static final int FIRST_SET = 42;
    private static final int FIRST_IMMUTABLE = 45;
    private static final int FIRST_SCALAR = 50;

    private Builtins() {}

    /// The codec with this tag; null: none has.
    static @Nullable Codec of(int tag) {
        // Without a lock, as what a codec holds is final: who sees it sees all of it.
        var known = BY_TAG[tag];
        return known != null ? known : first(tag);
    }

    private static synchronized @Nullable Codec first(int tag) {
        var known = BY_TAG[tag];
        if (known == null) {
            known = make(tag);
            BY_TAG[tag] = known;
        }
        return known;
    }

    private static @Nullable Codec make(int tag) {
        if (tag >= FIRST_SCALAR) {
            return Scalars.of(tag);
        }
        if (tag >= FIRST_IMMUTABLE) {
            return Immutables.of(tag);
        }
        if (tag >= FIRST_SET) {
            return Sets.of(tag);
        }
        if (tag >= FIRST_MAP) {
            return Maps.of(tag);
        }
        if (tag >= FIRST_LIST) {
            return Lists.of(tag);
        }
        if (tag >= FIRST_CLASSES) {
            return Classes.of(tag);
        }
        return tag >= FIRST_ARRAY ? PrimitiveArrays.of(tag) : Boxes.of(tag);
    }

    /// The codec of a class; null: it has none with a tag of its own.
    static @Nullable Codec of(Class<?> type) {
        if (type.getClassLoader() != null) {
            return null;
        }
        int tag = type.isArray() ? arrayTag(type) : tag(type.getName());
        return tag == 0 ? null : of(tag);
    }

    private static int arrayTag(Class<?> type) {
        return switch (type.getName()) {
            case "[B" -> FIRST_ARRAY;
            case "[S" -> 25;
            case "[C" -> 26;
            case "[I" -> 27;
            case "[J" -> 28;
            case "[F" -> 29;
            case "[D" -> 30;
            case "[Z" -> 31;
            default -> 0;
        };
    }

    private static int tag(String name) {
        return switch (name) {
            case "java.lang.Boolean" -> 16;
            case "java.lang.Byte" -> 17;
            case "java.lang.Short" -> 18;
            case "java.lang.Character" -> 19;
            case "java.lang.Integer" -> 20;
            case "java.lang.Long" -> 21;
            case "java.lang.Float" -> 22;
            case "java.lang.Double" -> 23;
            case "java.lang.Class" -> FIRST_CLASSES;
            case "java.io.ObjectStreamClass" -> 33;
            default -> name.startsWith("java.util.") ? collectionTag(name) : scalarTag(name);
        };
    }

    private static int collectionTag(String name) {
        return switch (name) {
            case "java.util.ArrayList" -> FIRST_LIST;
            case "java.util.LinkedList" -> 35;
            case "java.util.ArrayDeque" -> 36;
            case "java.util.HashMap" -> FIRST_MAP;
            case "java.util.LinkedHashMap" -> 38;
            case "java.util.TreeMap" -> 39;
            case "java.util.concurrent.ConcurrentHashMap" -> 40;
            case "java.util.EnumMap" -> 41;
            case "java.util.HashSet" -> FIRST_SET;
            case "java.util.LinkedHashSet" -> 43;
            case "java.util.TreeSet" -> 44;
            case "java.util.UUID" -> FIRST_SCALAR;
            case "java.util.Date" -> 58;
            default -> Immutables.tag(name);
        };
    }

    private static int scalarTag(String name) {
        return switch (name) {
            case "java.math.BigInteger" -> 51;
            case "java.math.BigDecimal" -> 52;
            case "java.time.Instant" -> 53;
            case "java.time.Duration" -> 54;
            case "java.time.LocalDate" -> 55;
            case "java.time.LocalTime" -> 56;
            case "java.time.LocalDateTime" -> 57;
            default -> 0;
        };
    }
}
