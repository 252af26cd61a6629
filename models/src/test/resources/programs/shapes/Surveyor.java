package shapes;

import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.List;
import java.util.Map;

public interface Surveyor extends Remote {
    double total(List<? extends Shape> shapes) throws RemoteException;

    Shape largest(Shape... shapes) throws RemoteException;

    Object echo(Object anything) throws RemoteException;

    Map<String, Object> described(Object anything) throws RemoteException;
}
