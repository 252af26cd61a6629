package org.ibidem.registry.wire;

/// Bounds of the registry protocol; both sides hold to them.
public final class Protocol {
    /// The version described in `docs/wire/registry.md`.
    public static final int VERSION = 1;

    /// Bytes of one message, at most.
    public static final int MOST_BYTES = 64 * 1024;

    /// Members in one [Request.Recall] or [Reply.Snapshot], at most; as many fit even with the
    /// longest locations.
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
        int bytes = 0;
        for (int i = 0; i < reason.length(); ) {
            int point = reason.codePointAt(i);
            bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
            if (bytes > REASON_BYTES || Character.getType(point) == Character.SURROGATE) {
                return reason.substring(0, i);
            }
            i += Character.charCount(point);
        }
        return reason;
    }
}
