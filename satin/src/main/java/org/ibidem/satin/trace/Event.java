package org.ibidem.satin.trace;

import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// Something that a worker did for a while. What it does otherwise, between its begin and its end,
/// is computing.
///
/// @param kind what
/// @param from when that began, in nanoseconds since 1970
/// @param to when it ended; of a job that had not, 0
/// @param first a job's stamp, or how many times it was done; of [Kind#SEEK] the nanoseconds of it
///   in which nobody was asked either
/// @param second a job's place
/// @param who a job's victim; of others 0
/// @param done whether it was done, where it is a job
public record Event(
        Kind kind, long from, long to, long first, long second, NodeId who, boolean done) {
    /// What workers are seen to do.
    public enum Kind {
        /// A stolen job; what happens meanwhile is part of it.
        JOB(1),

        /// It has nothing to do: it asks others for a job, and rests when they have none.
        SEEK(2),

        /// It writes to a shared object.
        WRITE(3),

        /// It does what others have written to shared objects.
        READ(4);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        /// As it stands in a file; 0 is none.
        int code() {
            return code;
        }

        /// By its code; null for what is none.
        static @Nullable Kind of(int code) {
            return switch (code) {
                case 1 -> JOB;
                case 2 -> SEEK;
                case 3 -> WRITE;
                case 4 -> READ;
                default -> null;
            };
        }
    }
}
