package org.ibidem.mpj.device;

/// What is known of a message.
///
/// @param source who sent it
/// @param to who receives it
/// @param tag as its sender gave it
/// @param context as its sender gave it
/// @param type of its elements, as its sender gave it ([Outgoing#type])
/// @param bytes of its static section
/// @param objects bytes of its dynamic section, which follows
/// @param truncated whether it was longer than its receiver had room for
/// @param cancelled whether there was none: the request was given up
public record Envelope(
        int source,
        int to,
        int tag,
        int context,
        int type,
        long bytes,
        long objects,
        boolean truncated,
        boolean cancelled) {
    /// Of a request that was given up.
    public static Envelope cancelled(int source, int to, int tag, int context) {
        return new Envelope(source, to, tag, context, 0, 0, 0, false, true);
    }

    /// The same message, longer than its receiver had room for.
    public Envelope cut() {
        return new Envelope(source, to, tag, context, type, bytes, objects, true, false);
    }

    /// All its bytes.
    public long size() {
        return bytes + objects;
    }
}
