package chat;

import java.rmi.Remote;
import java.rmi.RemoteException;

public interface Room extends Remote {
    void enter(String name, Guest guest) throws RemoteException;

    void say(String name, String what) throws RemoteException;

    void leave(Guest guest) throws RemoteException;
}
