package org.ibidem.trust;

import org.ibidem.IbidemException;
import org.ibidem.Visible;

/// Somebody does not prove to belong to a pool that has an authority; the message says exactly why
/// not.
public final class NotTrusted extends IbidemException {
    private static final long serialVersionUID = 1L;

    /// @param why the exact reason, and what to do
    public NotTrusted(String why) {
        super(Visible.of(why));
    }

    /// @param why the exact reason, and what to do
    /// @param cause what was found
    public NotTrusted(String why, Throwable cause) {
        super(Visible.of(why), cause);
    }
}
