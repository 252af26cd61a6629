package cursor;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** An iterator that stays at the server. */
public interface Rows extends Remote {
    boolean hasNext() throws RemoteException;

    String[] next(int most) throws RemoteException;
}
