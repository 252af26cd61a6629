package org.ibidem.satin;

/// What one process has done so far.
///
/// @param stolen jobs of others that it did
/// @param given its jobs that went to others, each time they did
/// @param redone its jobs that came back undone, or whose thief died
/// @param abandoned jobs of others that it had begun when nobody waited for them any more
/// @param asked how often it asked others for a job
/// @param askedFar how often others of another site
/// @param reused its jobs that it did not do again, as somebody had them from before a death
public record Statistics(
        long stolen,
        long given,
        long redone,
        long abandoned,
        long asked,
        long askedFar,
        long reused) {}
