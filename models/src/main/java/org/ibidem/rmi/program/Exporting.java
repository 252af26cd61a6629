package org.ibidem.rmi.program;

import java.rmi.ConnectException;
import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.server.ExportException;
import org.ibidem.rmi.Rmi;
import org.ibidem.rmi.frame.Stub;

/// Objects of this process that can be called.
final class Exporting {
    private Exporting() {}

    static Remote export(Remote object) throws RemoteException {
        var home = Home.own();
        try {
            var stub = Home.asked(() -> exported(home.rmi(), object));
            home.keepsAlive();
            return stub;
        } catch (IllegalArgumentException e) {
            throw new ExportException("remote object implements illegal remote interface", e);
        }
    }

    private static Remote exported(Rmi rmi, Remote object) throws ExportException {
        if (rmi.isExported(object)) {
            throw new ExportException("object already exported");
        }
        return rmi.export(object);
    }

    static Remote stub(Remote object) throws NoSuchObjectException {
        return Stub.of(object) != null ? object : rmi(object).stub(object);
    }

    static boolean unexport(Remote object, boolean force) throws NoSuchObjectException {
        if (object instanceof PoolRegistry registry) {
            return registry.end();
        }
        var rmi = rmi(object);
        rmi.stub(object);
        return (force || !rmi.isRunning(object)) && rmi.unexport(object);
    }

    private static Rmi rmi(Remote object) throws NoSuchObjectException {
        try {
            return Home.own().rmi();
        } catch (ConnectException e) {
            var none = new NoSuchObjectException("object not exported: " + object.getClass());
            none.initCause(e);
            throw none;
        }
    }

    /// For people.
    static String described(Remote object) {
        try {
            return stub(object).toString();
        } catch (NoSuchObjectException _) {
            return "not exported";
        }
    }
}
