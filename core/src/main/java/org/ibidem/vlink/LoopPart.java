package org.ibidem.vlink;

import org.ibidem.wait.Waitable;

/// What the node's loop looks after. It is given up by the loop alone: then the loop does not sleep
/// on it.
interface LoopPart extends Waitable {
    /// By the loop: does what can be done now.
    ///
    /// @return whether anybody was told
    boolean turn();

    /// Those who watch look again, whatever they find.
    void tellAll();
}
