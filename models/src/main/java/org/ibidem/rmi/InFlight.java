package org.ibidem.rmi;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// The references in the message that a thread writes or reads: what must stay alive until its
/// receiver has it, and what its sender is to hear of.
final class InFlight {
    private static final ThreadLocal<@Nullable InFlight> CURRENT = new ThreadLocal<>();

    private @Nullable List<Object> written;
    private @Nullable List<CompletableFuture<@Nullable Void>> read;

    private InFlight() {}

    /// A message begins: nothing of an earlier one counts.
    static void begin() {
        CURRENT.remove();
    }

    private static InFlight current() {
        var mine = CURRENT.get();
        if (mine == null) {
            mine = new InFlight();
            CURRENT.set(mine);
        }
        return mine;
    }

    /// A reference to this object is written.
    static void writes(Object object) {
        var mine = current();
        if (mine.written == null) {
            mine.written = new ArrayList<>();
        }
        mine.written.add(object);
    }

    /// A reference was read, whose owner knows when that is done.
    static void reads(CompletableFuture<@Nullable Void> told) {
        if (!told.isDone()) {
            var mine = current();
            if (mine.read == null) {
                mine.read = new ArrayList<>();
            }
            mine.read.add(told);
        }
    }

    /// The objects whose references were written; null: none.
    static @Nullable List<Object> written() {
        var mine = CURRENT.get();
        CURRENT.remove();
        return mine == null ? null : mine.written;
    }

    /// Done when the owners of all that was read know; null: they do.
    @SuppressWarnings("NullAway") // Void has no other value
    static @Nullable CompletableFuture<@Nullable Void> read() {
        var mine = CURRENT.get();
        CURRENT.remove();
        return mine == null || mine.read == null
                ? null
                : CompletableFuture.allOf(mine.read.toArray(CompletableFuture[]::new));
    }
}
