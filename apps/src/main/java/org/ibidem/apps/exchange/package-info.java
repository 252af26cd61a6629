/// `exchange`: an all-to-all personalized exchange. In each round each process has a block for each
/// other process, different for each pair and round, and of a different size; all are sent, and all
/// are checked where they arrive.
///
/// In step s of a round process r sends to r + s, so that each is written to by one other process
/// at a time. What arrives is read in another thread: were it not, all could wait for room at
/// others who wait, too. The receiver makes the block that it should have got, and compares
/// checksums; rank 0 sums up what was sent and what arrived ([Totals]).
///
/// - S. L. Johnsson, C.-T. Ho: Optimum broadcasting and personalized communication in hypercubes.
///   IEEE Trans. Computers 38(9), 1989.
package org.ibidem.apps.exchange;
