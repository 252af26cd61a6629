package ticker;

import java.rmi.Remote;
import java.rmi.RemoteException;

public interface Observer extends Remote {
    void changed(Quote quote) throws RemoteException;
}
