package org.ibidem.lab.bench.duel;

/// How long everything takes.
///
/// @param rounds how often all contestants take turns
/// @param samples timed in one turn; two more are played first and thrown away
/// @param warmNanos how long each contestant plays each measure before anything counts
/// @param tripNanos what one sample of a ping-pong should take, about
/// @param streamNanos what one sample of a one-way stream should take, about: long against its
///   acknowledgement
/// @param idleNanos how long nobody does anything at the end
public record Plan(
        int rounds, int samples, long warmNanos, long tripNanos, long streamNanos, long idleNanos) {
    /// For figures: some minutes.
    public static final Plan FULL =
            new Plan(12, 16, 1_500_000_000L, 1_000_000, 5_000_000, 5_000_000_000L);

    /// To see that everything works: some seconds.
    public static final Plan QUICK = new Plan(2, 3, 20_000_000L, 200_000, 500_000, 500_000_000L);

    /// The same with another number of rounds.
    public Plan rounds(int other) {
        return new Plan(other, samples, warmNanos, tripNanos, streamNanos, idleNanos);
    }
}
