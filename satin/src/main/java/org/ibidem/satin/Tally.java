package org.ibidem.satin;

/// What the workers of a site have done so far.
///
/// @param site the widest level of a location
/// @param processes that are there now
/// @param workers that are there now
/// @param jobs that they did, their own among them
/// @param stolen jobs of others among those
/// @param idleNanos how long they had no job, all together: they asked for some, waited or rested
/// @param nanos how long they have been there, all together
public record Tally(
        String site,
        long processes,
        long workers,
        long jobs,
        long stolen,
        long idleNanos,
        long nanos) {
    static final Tally NONE = new Tally("", 0, 0, 0, 0, 0, 0);

    /// The share of their time in which they had no job: 0 to 1.
    public double idle() {
        return nanos <= 0 ? 0 : Math.clamp((double) idleNanos / nanos, 0, 1);
    }

    /// Both together, of this one's site.
    public Tally plus(Tally other) {
        return new Tally(
                site,
                processes + other.processes,
                workers + other.workers,
                jobs + other.jobs,
                stolen + other.stolen,
                idleNanos + other.idleNanos,
                nanos + other.nanos);
    }

    /// What was done since then, by those that are there now.
    public Tally since(Tally before) {
        return new Tally(
                site,
                processes,
                workers,
                jobs - before.jobs,
                stolen - before.stolen,
                idleNanos - before.idleNanos,
                nanos - before.nanos);
    }

    Tally at(String where) {
        return new Tally(where, processes, workers, jobs, stolen, idleNanos, nanos);
    }

    Tally of(long itsProcesses, long itsWorkers, long itsStolen) {
        return new Tally(site, itsProcesses, itsWorkers, jobs, itsStolen, idleNanos, nanos);
    }
}
