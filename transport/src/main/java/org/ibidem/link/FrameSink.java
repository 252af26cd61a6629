package org.ibidem.link;

import org.ibidem.buffer.Frame;

/// The sending side of a link that carries frames: **claim, fill in place, commit**. One writer at
/// a time.
///
/// Memory in `room` is lent to the writer from [#claim] to [#commit]. A claim that is not committed
/// costs nothing and is replaced by the next claim. A sink may also be [org.ibidem.wait.Waitable]:
/// then a writer that got BUSY can sleep until there is room.
public interface FrameSink {
    /// Asks for room: sets memory, start, position and limit of `room`.
    ///
    /// @param room filled in when the answer is true
    /// @param atLeast bytes wanted between position and limit, at most [#largest]; usually more is
    ///   granted
    /// @return false: BUSY, there is no room now
    boolean claim(Frame room, int atLeast);

    /// Publishes `start..position`; never blocks and never refuses. Behind `position` nothing was
    /// written since the claim or the last commit: where something was and is given up, claim anew.
    /// Leaves the next room in `room`, or an empty one. A frame with neither `MORE` nor `HOLD` is
    /// also pushed, as far as that goes without blocking.
    ///
    /// @param flags of [Frame]: `MORE`, `END`, `ABANDONED` travel; `HOLD` keeps the frame back
    ///   until [#push], or until as much is held back as is worth to be
    /// @return true: nothing is kept back here; false: call [#push] before leaving the link alone
    boolean commit(Frame room, int flags);

    /// Hands all committed frames to the network and wakes a sleeping reader; also what to do
    /// before waiting for room. Room that was granted and is not committed yet stays as it is.
    ///
    /// @return false: BUSY, some are still here
    boolean push();

    /// The largest `atLeast` that [#claim] grants now, in bytes. Between two frames it may become
    /// smaller, where a way takes less than it did, though the least of a message fits above all
    /// headers: ask for it before a claim, and keep it no longer. Room that was granted stays.
    int largest();
}
