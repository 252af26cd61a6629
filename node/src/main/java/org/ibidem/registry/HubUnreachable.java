package org.ibidem.registry;

import org.ibidem.IbidemException;

/// No hub answered, or the hub was lost and did not come back in time. The message lists each
/// address tried and why it failed.
public final class HubUnreachable extends IbidemException {
    private static final long serialVersionUID = 1L;

    /// Says what the hub said.
    public HubUnreachable(String message) {
        super(message);
    }
}
