package org.ibidem.wait;

import java.io.IOException;
import java.nio.channels.Pipe;
import org.ibidem.config.Services;
import org.jspecify.annotations.Nullable;

/// Makes channels for descriptors of the system that the JDK has no channel for: an eventfd, a
/// pidfd, the completion channel of a network card. A selector takes such a channel like any other,
/// so a [Waitable] or a `Progress` returns it from `channel`, and needs no thread.
///
/// The JDK offers no way to do that. A module with native access does, found as a service.
public interface Descriptors {
    /// Why it cannot be done here, and what to do; null: it can be done. A driver that needs a
    /// descriptor says this in its `Reach.No`.
    @Nullable String objection();

    /// A channel that is ready to be read when `descriptor` is. It is non-blocking as far as
    /// selectors are concerned, and is a duplicate: closing either of the two leaves the other
    /// open. A read takes from what both stand for, and blocks unless `descriptor` was opened with
    /// `O_NONBLOCK`.
    ///
    /// @throws IOException when `descriptor` is not open, is always ready (a file), or there are no
    ///   more descriptors
    /// @throws IllegalStateException where there is an [#objection]
    Pipe.SourceChannel readable(int descriptor) throws IOException;

    /// That of the modules here, or one that has an objection.
    static Descriptors found() {
        var all = Services.of(Descriptors.class);
        return all.isEmpty() ? new NoDescriptors() : all.getFirst();
    }
}
