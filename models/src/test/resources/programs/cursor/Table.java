package cursor;

import java.rmi.Remote;
import java.rmi.RemoteException;

public interface Table extends Remote {
    Rows select(int from, int to) throws RemoteException;

    int closed() throws RemoteException;
}
