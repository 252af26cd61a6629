package org.ibidem.filter.parallel;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/// A part of a long row of bytes, each known by its place: memory for those between two places,
/// page by page as it is needed.
final class Pages {
    static final int PAGE = Wire.PIECE;
    private static final int KEPT = 2;

    private final Map<Long, ByteBuffer> pages = new HashMap<>();
    private final ArrayDeque<ByteBuffer> empty = new ArrayDeque<>();
    private long floor;

    /// Where the byte of this place is, and what follows it in one piece. Moved by who gets it.
    ///
    /// @param most bytes, at least 1
    ByteBuffer at(long place, int most) {
        long number = place / PAGE;
        var page = pages.get(number);
        if (page == null) {
            page = empty.isEmpty() ? ByteBuffer.allocateDirect(PAGE) : empty.pop();
            pages.put(number, page);
        }
        int from = (int) (place % PAGE);
        return page.slice(from, Math.min(most, PAGE - from));
    }

    /// Nobody asks for places before this one again.
    void forget(long before) {
        for (long number = floor / PAGE; number < before / PAGE; number++) {
            var page = pages.remove(number);
            if (page != null && empty.size() < KEPT) {
                empty.push(page);
            }
        }
        floor = Math.max(floor, before);
    }

    /// Copies what both have room for, moving both.
    static int move(ByteBuffer from, ByteBuffer to) {
        int bytes = Math.min(from.remaining(), to.remaining());
        to.put(to.position(), from, from.position(), bytes).position(to.position() + bytes);
        from.position(from.position() + bytes);
        return bytes;
    }
}
