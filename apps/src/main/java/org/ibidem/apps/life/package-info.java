/// `life`: Conway's game of life on a torus, on processes that come, go and die while it runs, with
/// the field of a sequential run at the end, bit for bit.
///
/// The field is cut into blocks of rows. For an *era* of some generations each process has one
/// block ([Worker]); in each generation it sends its outermost rows to those next to it. One
/// process, the winner of an election, plans the eras ([Coordinator]): before each it asks all
/// present members what they hold, and tells them who computes what and who sends which rows to
/// whom ([Planner]). So whoever has joined gets rows with the next era, and whoever wants to leave
/// (`SIGTERM`) gets none, hands its own over, and goes when the era after is done.
///
/// What is survived: every death but that of all. At the beginning of an era each process has a
/// copy of its block at the next one. When a process dies, even the coordinator, the era is planned
/// anew: from its beginning, or from the beginning of the one before while copies were on their
/// way. When a block and its copy die together, all begin again from generation 0, which anybody
/// can make. That costs time, never the result: whoever computes a row computes the same. Deaths
/// are learnt of from the hub; while that is away, the game goes on until one is missed, and waits.
///
/// - M. Gardner: The fantastic combinations of John Conway's new solitaire game "life". Scientific
///   American 223(4), 1970.
/// - R. V. van Nieuwpoort et al.: Ibis: a flexible and efficient Java-based grid programming
///   environment. Concurrency and Computation 17, 2005 (malleable applications on pools that are
///   open).
/// - G. Zheng, L. Shi, L. V. Kalé: FTC-Charm++: an in-memory checkpoint-based fault tolerant
///   runtime. IEEE Cluster 2004 (a copy at the neighbour).
package org.ibidem.apps.life;
