package org.ibidem.port;

import java.util.stream.Stream;
import org.ibidem.IbidemException;

/// The other node refused the connection.
public final class ConnectRefused extends IbidemException {
    private static final long serialVersionUID = 1L;

    private final Why why;

    /// Why the other node refused.
    public enum Why {
        /// It has no receive port of that name.
        NO_SUCH_PORT(0),
        /// The types differ; the message lists in what.
        TYPES_DIFFER(1),
        /// A port for one sender that is connected already.
        OCCUPIED(2),
        /// The port accepts no connections at present.
        DISABLED(3),
        /// The program there did not want this connection, or the port is for another node
        /// ([ReceiveSetup#only]).
        UNWANTED(4),
        /// The other node could not make its end of the link.
        NO_LINK(255),
        /// A reason this version does not know; the message says it.
        OTHER(-1);

        private final int code;

        Why(int code) {
            this.code = code;
        }

        /// The number on the wire.
        int code() {
            return code;
        }

        static Why of(int code) {
            return Stream.of(values()).filter(why -> why.code == code).findAny().orElse(OTHER);
        }
    }

    ConnectRefused(Why why, String message) {
        super(message);
        this.why = why;
    }

    /// The reason, for programs.
    public Why why() {
        return why;
    }
}
