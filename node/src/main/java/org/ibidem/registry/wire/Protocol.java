package org.ibidem.registry.wire;

import org.ibidem.buffer.ControlWriter;

/// Bounds of the registry protocol; both sides hold to them.
public final class Protocol {
    /// The version described in `docs/wire/registry.md`.
    public static final int VERSION = 3;

    /// Bytes of one message, at most.
    public static final int MOST_BYTES = 64 * 1024;

    /// Elements of one list, at most; how many there are is decided by the bytes.
    public static final int AT_ONCE = 4096;

    /// Members of one pool, at most.
    public static final int MOST_MEMBERS = 16 * 1024;

    /// Elections of one pool, at most; and as many sequences, and names of tokens.
    public static final int MOST_NAMES = 4096;

    /// Dead members that a pool remembers, at most.
    public static final int MOST_DEAD = 4096;

    /// Operations of one node whose outcome is not known yet, at most.
    public static final int MOST_OPEN = 256;

    /// Bytes of the name of an election, a sequence or of tokens.
    public static final int NAME_BYTES = 256;

    /// Bytes of a signal.
    public static final int SIGNAL_BYTES = 1024;

    /// Members named in one signal, at most.
    public static final int MOST_ADDRESSEES = 2048;

    static final int LOCATION_BYTES = 2 * 1024;
    static final int REASON_BYTES = 256;
    static final int ADDRESS_BYTES = 64;
    static final int ADDRESSES = 32;
    static final int PLACES = 32;
    static final int DRIVER_BYTES = 64;
    static final int PLACE_BYTES = 512;

    private Protocol() {}

    /// As much of a reason as a message carries.
    public static String clip(String reason) {
        return ControlWriter.shortened(printable(reason), REASON_BYTES);
    }

    // Half a surrogate pair cannot be written in UTF-8.
    private static String printable(String reason) {
        for (int i = 0; i < reason.length(); ) {
            int point = reason.codePointAt(i);
            if (Character.getType(point) == Character.SURROGATE) {
                return reason.substring(0, i);
            }
            i += Character.charCount(point);
        }
        return reason;
    }
}
