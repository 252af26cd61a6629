package org.ibidem.vlink;

import java.util.List;
import java.util.function.Consumer;

/// What a program has given to be called.
final class Handlers {
    private Handlers() {}

    /// Calls all of them, whatever one throws: somebody may wait for what the others do. What the
    /// first has thrown is thrown in the end, with the rest suppressed in it.
    @SuppressWarnings("ReferenceEquality") // none is suppressed in itself
    static <T> void callAll(List<T> handlers, Consumer<T> call) {
        Throwable first = null;
        for (var handler : handlers) {
            try {
                call.accept(handler);
            } catch (RuntimeException | Error e) {
                if (first == null) {
                    first = e;
                } else if (first != e) {
                    first.addSuppressed(e);
                }
            }
        }
        switch (first) {
            case null -> {}
            case Error e -> throw e;
            case RuntimeException e -> throw e;
            default -> throw new AssertionError(first); // no other was caught
        }
    }
}
