package org.ibidem.registry.wire;

/// Bounds of the registry protocol; both sides hold to them.
public final class Protocol {
    /// The version described in `docs/wire/registry.md`.
    public static final int VERSION = 1;

    /// Bytes of one message, at most.
    public static final int MOST_BYTES = 64 * 1024;

    /// Members in one [Request.Recall] or [Reply.Snapshot], at most; as many fit even with the longest locations.
    public static final int MEMBERS_AT_ONCE = 30;

    /// Changes in one [Reply.Events], at most.
    public static final int EVENTS_AT_ONCE = 26;

    /// Members of one pool, at most.
    public static final int MOST_MEMBERS = 16 * 1024;

    static final int LOCATION_BYTES = 2 * 1024;
    static final int REASON_BYTES = 256;
    static final int ADDRESS_BYTES = 64;
    static final int ADDRESSES = 32;
    static final int PLACES = 32;
    static final int NAME_BYTES = 64;
    static final int PLACE_BYTES = 512;

    private Protocol() {}

    /// As much of a reason as a message carries.
    public static String clip(String reason) {
        // A char is at most 3 bytes of UTF-8.
        int most = REASON_BYTES / 3;
        if (reason.length() <= most) {
            return reason;
        }
        int end = Character.isHighSurrogate(reason.charAt(most - 1)) ? most - 1 : most;
        return reason.substring(0, end);
    }
}
