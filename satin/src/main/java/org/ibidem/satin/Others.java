package org.ibidem.satin;

import java.time.Duration;
import java.util.List;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// The other processes of a job.
interface Others extends AutoCloseable {
    /// Steals a job of one of them. Waits for its answer, but not for long.
    @Nullable Parcel steal() throws InterruptedException;

    /// Whether this process looks for no jobs for a while.
    void pause(boolean whether);

    /// Tells one of them that nobody waits any more for a job that it has stolen.
    void abandon(NodeId thief, long stamp);

    /// Asks one of them for what comes of an orphan that it has, as if it had stolen the job.
    void claim(NodeId holder, long place, long stamp);

    /// Answers such a question.
    ///
    /// @param result none: it is to be done again
    void answer(Orphans.Claim claim, Orphans.@Nullable Result result);

    /// Tells every one of them, in the order of calls.
    void toAll(Letter letter);

    /// Whether one of them does not take what it is sent.
    boolean areFull();

    /// Asks every one of them what it has done so far, and waits for the answers, but not longer
    /// than that.
    void count(Duration within) throws InterruptedException;

    /// What they have done, as far as they have said, by site, together with what this process has.
    List<Tally> tallies();

    /// How often somebody of another site was asked.
    long askedFar();

    @Override
    void close();
}
