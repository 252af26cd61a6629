package org.ibidem.serial.wire;

import java.util.ArrayList;
import java.util.List;
import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.ControlWriter;
import org.jspecify.annotations.Nullable;

/// What a peer must know to read objects of one class: sent once on each connection.
///
/// ```
/// | number u16 | kind u8 | flags u8 | name text |
/// | count u16 | names text                          enum: constants; proxy: interfaces
/// | count u16 | levels:  name text | version i64 | flags u8 | count u16 | fields: type u8, name text
/// ```
///
/// @param kind what it is
/// @param flags of [Description]
/// @param name the binary name
/// @param names constants of an enum in their order; interfaces of a proxy
/// @param levels the class and its serializable superclasses, from the top down
public record Description(
        Kind kind, int flags, String name, List<String> names, List<Level> levels) {
    /// Kinds of classes; the order is that on the wire.
    public enum Kind {
        /// Fields, and what its own methods write.
        OBJECT,
        /// Components of a record.
        RECORD,
        /// What `writeExternal` writes.
        EXTERNAL,
        /// Constants, by their place.
        ENUM,
        /// References of a type.
        ARRAY,
        /// A dynamic proxy.
        PROXY,
        /// A class that is only named.
        NAMED
    }

    /// Flag: the levels follow each other, each with its own fields; otherwise the fields of all
    /// levels are one block of primitives and one row of references.
    public static final int LAYERED = 1;

    /// Flag: its objects are values and have no handles.
    public static final int VALUE = 2;

    /// Flag: sent as if it were serializable, which it is not.
    public static final int EXTENDED = 4;

    /// Flag of a level: its own `writeObject` wrote.
    public static final int CUSTOM = 1;

    /// Constants of an enum whose place is one byte.
    public static final int FIT_A_BYTE = 256;

    private static final List<Kind> KINDS = List.of(Kind.values());
    private static final int MOST_BYTES = 1 << 20;
    private static final int LONGEST = 0xFFFF;
    private static final int MOST_LEVELS = 256;
    private static final int MOST_NAMES = 0xFFFF;

    /// One class of a hierarchy.
    ///
    /// @param name the binary name
    /// @param version its serialVersionUID
    /// @param flags [Description#CUSTOM] or 0
    /// @param fields primitives first, each kind by name, as the JDK sorts them
    public record Level(String name, long version, int flags, List<Field> fields) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Level level
                    && version == level.version
                    && flags == level.flags
                    && name.equals(level.name)
                    && fields.equals(level.fields);
        }

        @Override
        public int hashCode() {
            return name.hashCode();
        }

        /// Whether its own method wrote.
        public boolean custom() {
            return (flags & CUSTOM) != 0;
        }
    }

    /// A field, or what stands for one.
    public interface Sized {
        /// Bytes of a primitive; 0: a reference.
        int size();
    }

    /// One field.
    ///
    /// @param type the descriptor's first character; `L` for every reference
    /// @param name the name in the class
    public record Field(char type, String name) implements Sized {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Field field && type == field.type && name.equals(field.name);
        }

        @Override
        public int hashCode() {
            return name.hashCode();
        }

        @Override
        public int size() {
            return Description.size(type);
        }

        /// Whether it holds no primitive.
        public boolean isReference() {
            return size() == 0;
        }
    }

    /// Bytes of a primitive, by its descriptor's character; 0: a reference.
    public static int size(char type) {
        return switch (type) {
            case 'Z', 'B' -> Byte.BYTES;
            case 'S', 'C' -> Short.BYTES;
            case 'I', 'F' -> Integer.BYTES;
            case 'J', 'D' -> Long.BYTES;
            default -> 0;
        };
    }

    // By hand, as linking what the compiler makes takes a process that has just begun too long.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Description there
                && kind == there.kind
                && flags == there.flags
                && name.equals(there.name)
                && names.equals(there.names)
                && levels.equals(there.levels);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    /// A class without fields.
    public static Description of(Kind kind, String name, List<String> names) {
        return new Description(kind, 0, name, names, List.of());
    }

    /// Whether this flag is set.
    public boolean has(int flag) {
        return (flags & flag) != 0;
    }

    /// For the wire, as class `number`.
    byte[] toBytes(int number) {
        var out = new ControlWriter(MOST_BYTES);
        out.u16(number).u8(KINDS.indexOf(kind)).u8(flags).text(name, LONGEST);
        out.count(names.size(), MOST_NAMES);
        for (var each : names) {
            out.text(each, LONGEST);
        }
        out.count(levels.size(), MOST_LEVELS);
        for (var level : levels) {
            out.text(level.name, LONGEST).i64(level.version).u8(level.flags);
            out.count(level.fields.size(), MOST_NAMES);
            for (var field : level.fields) {
                out.u8(field.type).text(field.name, LONGEST);
            }
        }
        return out.toBytes();
    }

    /// From the wire.
    ///
    /// @throws org.ibidem.buffer.Malformed when it is none
    static Description of(ControlReader in) {
        int kind = in.u8("kind");
        if (kind >= KINDS.size()) {
            throw in.bad("kind", kind + " is no kind of class");
        }
        int flags = in.u8("flags");
        var name = in.text("name", LONGEST);
        var names = new ArrayList<String>();
        for (int left = in.count("names", MOST_NAMES); left > 0; left--) {
            names.add(in.text("name", LONGEST));
        }
        var levels = new ArrayList<Level>();
        for (int left = in.count("levels", MOST_LEVELS); left > 0; left--) {
            levels.add(level(in));
        }
        in.end();
        return new Description(
                KINDS.get(kind), flags, name, List.copyOf(names), List.copyOf(levels));
    }

    private static Level level(ControlReader in) {
        var name = in.text("level", LONGEST);
        long version = in.i64("version");
        int flags = in.u8("flags");
        var fields = new ArrayList<Field>();
        for (int left = in.count("fields", MOST_NAMES); left > 0; left--) {
            char type = (char) in.u8("type");
            if ("ZBSCIFJDL".indexOf(type) < 0) {
                throw in.bad("type", (int) type + " is no type of field");
            }
            fields.add(new Field(type, in.text("field", LONGEST)));
        }
        return new Level(name, version, flags, List.copyOf(fields));
    }
}
