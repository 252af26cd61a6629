package org.ibidem.serial.wire;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// What a message needs while it is written or read: connections borrow it, so that an idle one
/// holds next to nothing.
final class Desk {
    static final byte[] NONE = {};
    static final IdentityTable EMPTY = new IdentityTable();
    static final RecentTexts NO_TEXTS = new RecentTexts();
    static final @Nullable Object[] NO_HANDLES = {};
    static final long[] NO_COSTS = {};
    static final int[] NONE_OPEN = {};

    private static final int KEPT = 16;
    private static final int FIRST_HANDLES = 64;
    private static final int MOST_HANDLES_KEPT = 1 << 16;
    private static final AtomicReference<@Nullable Desk> HOT = new AtomicReference<>();
    private static final ArrayDeque<Desk> FREE = new ArrayDeque<>();

    final byte[] page = new byte[Page.SIZE];
    final MemorySegment segment = MemorySegment.ofArray(page);
    final IdentityTable table = new IdentityTable();
    final RecentTexts recent = new RecentTexts();
    final char[] chars = new char[Tag.LONGEST_SHORT_TEXT + 1];
    @Nullable Object[] handles = new @Nullable Object[FIRST_HANDLES];

    private Desk() {}

    static Desk borrow() {
        var hot = HOT.getAndSet(null);
        if (hot != null) {
            return hot;
        }
        synchronized (FREE) {
            var desk = FREE.pollLast();
            if (desk != null) {
                return desk;
            }
        }
        return new Desk();
    }

    /// Its table and its handles are empty again.
    void giveBack() {
        if (handles.length > MOST_HANDLES_KEPT) {
            handles = new @Nullable Object[FIRST_HANDLES];
        }
        if (!HOT.compareAndSet(null, this)) {
            synchronized (FREE) {
                if (FREE.size() < KEPT) {
                    FREE.addLast(this);
                }
            }
        }
    }
}
