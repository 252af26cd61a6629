/// Divide and conquer by work stealing, and the small interface that rewritten programs use: a
/// [Job] is spawned, and counts after the next sync. After Satin (van Nieuwpoort et al., TOPLAS
/// 2010; fault tolerance: Wrzesinska et al., IPDPS 2005).
///
/// - [Satin] is one process's part. It has [Worker]s, each with a [Deque] of jobs: it takes the
///   youngest itself, thieves get the oldest.
/// - [Crew] gives jobs to thieves and remembers what is away; [Post] carries [Letter]s between
///   processes. Formats: `docs/wire/satin.md`; reasons: `docs/design/satin.md`.
///
/// Traps: a job belongs to its worker alone, until a thief has taken it out of the deque; answers
/// of thieves go through the worker's mail. Nothing is sent by the thread that receives, or two
/// processes could wait for each other.
package org.ibidem.satin;
