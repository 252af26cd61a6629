package ticker;

import java.rmi.Remote;
import java.rmi.RemoteException;

public interface Subject extends Remote {
    boolean add(Observer observer) throws RemoteException;

    boolean remove(Observer observer) throws RemoteException;

    int publish(Quote quote) throws RemoteException;
}
