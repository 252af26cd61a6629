package org.ibidem.port;

import org.ibidem.IbidemException;

/// Of several receive ports, some were not reached.
public final class NotAllConnected extends IbidemException {
    private static final long serialVersionUID = 1L;

    private final transient Connected result;

    NotAllConnected(Connected result) {
        super(result.toString());
        this.result = result;
    }

    /// Who was reached, who was not and why.
    public Connected result() {
        return result;
    }
}
