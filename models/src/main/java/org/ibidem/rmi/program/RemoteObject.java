package org.ibidem.rmi.program;

import java.io.Serial;
import java.io.Serializable;
import java.rmi.NoSuchObjectException;
import java.rmi.Remote;

/// Stands for `java.rmi.server.RemoteObject`: what remote objects may extend. It has no
/// `RemoteRef`; stubs are no subclasses of it.
public abstract class RemoteObject implements Remote, Serializable {
    @Serial private static final long serialVersionUID = 1L;

    /// One that is not exported.
    protected RemoteObject() {}

    /// The stub of an object that is exported; itself, where it is one.
    ///
    /// @throws NoSuchObjectException when it is not exported
    public static Remote toStub(Remote object) throws NoSuchObjectException {
        return Exporting.stub(object);
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + "[" + Exporting.described(this) + "]";
    }
}
