import java.rmi.Naming;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Observers that are told of readings, which are values with values inside. */
public class Weather {
    public record Reading(String place, double degrees, int[] winds) implements java.io.Serializable {}

    public interface Observer extends Remote {
        void changed(Reading reading) throws RemoteException;
    }

    public interface Station extends Remote {
        void add(Observer observer) throws RemoteException;

        void measured(Reading reading) throws RemoteException;

        Map<String, List<Reading>> history() throws RemoteException;
    }

    static class Post extends UnicastRemoteObject implements Station {
        private static final long serialVersionUID = 1L;
        private final transient List<Observer> observers = new ArrayList<>();
        private final transient Map<String, List<Reading>> history = new LinkedHashMap<>();

        Post(int port) throws RemoteException {
            super(port);
        }

        public synchronized void add(Observer observer) {
            observers.add(observer);
        }

        public synchronized void measured(Reading reading) throws RemoteException {
            history.computeIfAbsent(reading.place(), key -> new ArrayList<>()).add(reading);
            for (Observer each : observers) {
                each.changed(reading);
            }
        }

        public synchronized Map<String, List<Reading>> history() {
            return history;
        }
    }

    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args[0]);
        Remote registry = LocateRegistry.createRegistry(port);
        Post post = new Post(0);
        Naming.bind("//:" + port + "/station", post);
        Station station = (Station) Naming.lookup("rmi://:" + port + "/station");
        Observer observer = reading -> System.out.println(
                reading.place() + " " + reading.degrees() + " " + reading.winds().length);
        station.add((Observer) UnicastRemoteObject.exportObject(observer, 0));
        station.measured(new Reading("oslo", -3.5, new int[] {1, 2}));
        station.measured(new Reading("rome", 21.25, new int[0]));
        station.measured(new Reading("oslo", -4, null == null ? new int[3] : null));
        station.history().forEach((place, all) -> System.out.println(place + " " + all.size()));
        for (String wrong : List.of("http://x/y", "//x/y#z", "//a b/c", "rmi:opaque", "//u@h/x")) {
            try {
                Naming.lookup(wrong);
            } catch (java.net.MalformedURLException e) {
                System.out.println("malformed: " + wrong);
            }
        }
        UnicastRemoteObject.unexportObject(observer, true);
        UnicastRemoteObject.unexportObject(post, true);
        UnicastRemoteObject.unexportObject(registry, true);
    }
}
