package sessions;

import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.List;

public interface Session extends Remote {
    void add(String item) throws RemoteException;

    List<String> items() throws RemoteException;

    Session twin() throws RemoteException;

    void close() throws RemoteException;
}
