package org.ibidem.lab.bench;

import java.io.IOException;

/// One end of an open contestant: plays bursts of any measure against the other end.
///
/// The two processes call [#lead] and [#follow] with the same arguments at about the same time; the
/// leader's first samples also contain the follower's waking up and are thrown away by the caller.
public interface Player extends AutoCloseable {
    /// Plays the leading part: sends first, and takes the time.
    ///
    /// @param nanos filled with what each sample took, in nanoseconds
    void lead(Measure measure, Burst burst, long[] nanos) throws Exception;

    /// Plays the other part: answers, or receives and acknowledges.
    void follow(Measure measure, Burst burst) throws Exception;

    @Override
    void close() throws IOException;
}
