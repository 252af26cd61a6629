package org.ibidem.wait;

import org.ibidem.buffer.ReadyBit;
import org.jspecify.annotations.Nullable;

/// An ability of sources: while nothing comes, one rests, and instead of looking at it its reader
/// looks at a word that stands for up to 64 of them.
///
/// The bit may come a little early or for nothing, and in rare orders not at all: whoever lets
/// sources rest looks at each of them now and then all the same. A wait needs no care: a source
/// that rests is armed like any other.
public interface Resting {
    /// The bit that is set when there is something, or null: it cannot rest now.
    @Nullable ReadyBit bit();

    /// Rests from now on.
    ///
    /// @return false: it does not, there is something to look at already
    boolean rest();

    /// Rests no more: it is looked at again.
    void rouse();
}
