package org.ibidem.link;

import org.ibidem.buffer.Frame;

/// The receiving side of a link that carries frames: it **lends** the driver's memory. One reader
/// at a time.
///
/// A source may also be [org.ibidem.wait.Waitable]: then a reader that found nothing can sleep
/// until there is a frame.
public interface FrameSource {
    /// Gives back the frame lent before and lends the next: sets memory, position, limit and flags
    /// of `lent`. A filter that throws a frame away looks for the next one at once: that there is
    /// nothing now means that all that had come was lent.
    ///
    /// @return false: nothing there now (the frame lent before is given back all the same)
    /// @throws LinkBroken when the peer is gone or sent what no peer may send
    boolean poll(Frame lent);

    /// The same for who has nothing else to look at: where there is nothing, it looks so many times
    /// more, without all that lies between two polls. A part that has no such short way looks once.
    default boolean poll(Frame lent, int more) {
        return poll(lent);
    }

    /// A look before [#poll], where most often it is all that is needed: whether the next frame is
    /// there and is plain payload, without flags. A source that knows when a look disturbs its
    /// writer waits that moment. Lends and gives back as [#poll] does.
    ///
    /// @return false: that says nothing; poll
    default boolean glance(Frame lent) {
        return false;
    }

    /// Whether the next frame is here whole and without flags, as far as that is known without
    /// asking the system or looking at what a peer writes: then the next poll lends it.
    ///
    /// @return false: that says nothing
    default boolean isFollowed() {
        return false;
    }

    /// Gives back the lent frame early; may be called any number of times.
    void release();
}
