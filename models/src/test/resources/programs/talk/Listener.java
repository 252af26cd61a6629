package talk;

import java.rmi.Remote;
import java.rmi.RemoteException;

public interface Listener extends Remote {
    void hear(String from, String line) throws RemoteException;
}
