package org.ibidem.serial.rewrite;

/// What became of one serializable class.
///
/// @param name of the class
/// @param kind what became of it
/// @param why it was left alone, in words; else empty
public record Verdict(String name, Kind kind, String why) {
    /// What can become of a class.
    public enum Kind {
        /// Code was added.
        REWRITTEN,
        /// It has that code already.
        AS_BEFORE,
        /// It stays as it is, and is served at run time.
        LEFT
    }

    static Verdict left(String name, String why) {
        return new Verdict(name, Kind.LEFT, why);
    }

    @Override
    public String toString() {
        return switch (kind) {
            case REWRITTEN -> "rewritten " + name;
            case AS_BEFORE -> "as before " + name;
            case LEFT -> "left      " + name + ": " + why;
        };
    }
}
