package org.ibidem.satin;

import org.jspecify.annotations.Nullable;

/// What became of a job that was done elsewhere.
///
/// @param value its result, where nothing was thrown
/// @param thrown what it threw
record Outcome(@Nullable Object value, @Nullable Throwable thrown) {

    /// What became of this one.
    static Outcome of(Job job) {
        return job.thrown == null ? new Outcome(job.result(), null) : new Outcome(null, job.thrown);
    }

    /// As if that one had been done here.
    void into(Job job) {
        job.thrown = thrown;
        if (thrown == null) {
            try {
                job.result(value);
            } catch (RuntimeException e) { // Of a class that is another one there.
                job.thrown = e;
            }
        }
        job.ended = true;
    }
}
