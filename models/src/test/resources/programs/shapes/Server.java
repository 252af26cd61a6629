package shapes;

import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.UnicastRemoteObject;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Takes what it has no name for: subclasses of what its methods declare. */
public class Server extends UnicastRemoteObject implements Surveyor {
    private static final long serialVersionUID = 1L;

    public Server() throws RemoteException {}

    public double total(List<? extends Shape> shapes) {
        double sum = 0;
        for (Shape each : shapes) {
            sum += each.area();
        }
        return sum;
    }

    public Shape largest(Shape... shapes) {
        Shape best = shapes[0];
        for (Shape each : shapes) {
            best = each.area() > best.area() ? each : best;
        }
        return best.scaled(2);
    }

    public Object echo(Object anything) {
        return anything;
    }

    public Map<String, Object> described(Object anything) {
        Map<String, Object> all = new TreeMap<>();
        all.put("class", anything.getClass().getName());
        all.put("text", anything.toString());
        all.put("itself", anything);
        return all;
    }

    public static void main(String[] args) throws Exception {
        LocateRegistry.getRegistry().rebind("surveyor", new Server());
        System.out.println("shapes: surveyor bound");
    }
}
