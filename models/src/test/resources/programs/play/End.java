package play;

import java.rmi.Remote;
import java.rmi.RemoteException;

public interface End extends Remote {
    void end() throws RemoteException;
}
