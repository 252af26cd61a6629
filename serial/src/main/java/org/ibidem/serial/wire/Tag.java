package org.ibidem.serial.wire;

/// What one byte in front of a value says; `docs/wire/object.md` has the table.
///
/// | tag | what follows |
/// |---|---|
/// | 0 to 15 | structure: null, handles, descriptions, long strings, parts of custom data |
/// | 16 to 63 | classes known by number from the start, in `Builtin` |
/// | 64 to 127 | the first 64 described classes |
/// | 128 to 255 | a Latin-1 string of 0 to 127 characters: a value, which has no handle |
public final class Tag {
    /// No object.
    public static final int NULL = 0;

    /// An object seen before: its handle in 1, 2 or 4 bytes.
    public static final int HANDLE_8 = 1;

    /// As [#HANDLE_8], in 2 bytes.
    public static final int HANDLE_16 = 2;

    /// As [#HANDLE_8], in 4 bytes.
    public static final int HANDLE_32 = 3;

    /// A class description in place, where there is no other way for it.
    public static final int DESCRIBE = 4;

    /// All handles are forgotten.
    public static final int RESET = 5;

    /// A described class beyond the first 64: 2 bytes of its number.
    public static final int CLASS_16 = 6;

    /// A Latin-1 string: 4 bytes of length, then a byte for each character.
    public static final int LATIN = 7;

    /// A UTF-16 string: 1 byte of length in code units, then 2 bytes for each.
    public static final int WIDE_8 = 8;

    /// A UTF-16 string: 4 bytes of length in code units, then 2 bytes for each.
    public static final int WIDE = 9;

    /// Bytes written by a class's own method: a count, then the bytes.
    public static final int CUSTOM = 10;

    /// The end of what a class's own method wrote.
    public static final int END = 11;

    /// The default fields of the level whose own method is writing.
    public static final int FIELDS = 12;

    /// The writer failed: nothing of this graph follows, and all handles are forgotten.
    public static final int ABORTED = 13;

    /// First number of the classes known from the start.
    public static final int FIRST_BUILTIN = 16;

    /// First described class.
    public static final int FIRST_CLASS = 64;

    /// Described classes with a tag of their own.
    public static final int SHORT_CLASSES = 64;

    /// Described classes of one connection at most: [#CLASS_16] counts to 65535.
    public static final int MOST_CLASSES = 1 << 16;

    /// With a length of at most [#LONGEST_SHORT_TEXT]: a short string.
    public static final int TEXT = 128;

    /// Characters of the longest string whose length lies in its tag.
    public static final int LONGEST_SHORT_TEXT = 127;

    private Tag() {}
}
