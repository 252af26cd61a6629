package mpi;

import org.jspecify.annotations.Nullable;

/// What a call does.
@FunctionalInterface
interface Work<T extends @Nullable Object> {
    T done();
}
