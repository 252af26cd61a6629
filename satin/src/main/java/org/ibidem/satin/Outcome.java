package org.ibidem.satin;

import org.ibidem.IbidemException;
import org.jspecify.annotations.Nullable;

/// What became of a job that was done elsewhere.
///
/// @param value its result, where nothing was thrown
/// @param thrown what it threw
record Outcome(@Nullable Object value, @Nullable Throwable thrown) {

    /// What became of this one.
    ///
    /// @throws UncopiedResult when it fails to give its result
    static Outcome of(Job job) {
        if (job.thrown != null) {
            return new Outcome(null, job.thrown);
        }
        try {
            return new Outcome(job.result(), null);
        } catch (RuntimeException | Error e) { // of the program's own class
            throw new UncopiedResult(
                    "a stolen job does not give its result: " + IbidemException.describe(e), e);
        }
    }

    /// As if that one had been done here.
    void into(Job job) {
        job.thrown = thrown;
        if (thrown == null) {
            try {
                job.result(value);
            } catch (RuntimeException | Error e) { // Of a class that is another one there.
                job.thrown = e;
            }
        }
        job.ended = true;
    }
}
