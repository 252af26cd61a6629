package org.ibidem.rmi;

import java.rmi.RemoteException;

/// A call was sent, and its reply does not come: the method has run, is running or will never run;
/// this is not known, and the call is not repeated.
public class ReplyLost extends RemoteException {
    private static final long serialVersionUID = 1L;

    ReplyLost(String message) {
        super(message);
    }

    ReplyLost(String message, Throwable cause) {
        super(message, cause);
    }
}
