package org.ibidem.satin;

import java.io.Serial;
import org.ibidem.IbidemException;

/// What a stolen job gave cannot be sent to where it was spawned, or not be read there: something
/// in it is not `Serializable`, for example. Thrown by the spawner's sync.
public final class UncopiedResult extends IbidemException {
    @Serial private static final long serialVersionUID = 1;

    UncopiedResult(String message, Throwable cause) {
        super(message, cause);
    }
}
