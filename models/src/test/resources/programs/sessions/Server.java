package sessions;

import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A factory of remote objects: whoever logs in gets one of his own, until he closes it. */
public class Server implements Gate {
    private static final AtomicInteger open = new AtomicInteger();

    static class Basket extends UnicastRemoteObject implements Session {
        private static final long serialVersionUID = 1L;
        private final List<String> items;

        Basket(List<String> items) throws RemoteException {
            this.items = items;
            open.incrementAndGet();
        }

        public synchronized void add(String item) {
            items.add(item);
        }

        public synchronized List<String> items() {
            return items;
        }

        public synchronized Session twin() throws RemoteException {
            return new Basket(new ArrayList<>(items));
        }

        public void close() throws RemoteException {
            unexportObject(this, true);
            open.decrementAndGet();
        }
    }

    public Session login(String user, String password) throws RemoteException, Denied {
        if (!password.equals(new StringBuilder(user).reverse().toString())) {
            throw new Denied(user);
        }
        System.out.println("sessions: " + user + " logs in");
        return new Basket(new ArrayList<>());
    }

    public int open() {
        return open.get();
    }

    private static final Server gate = new Server();

    public static void main(String[] args) throws Exception {
        LocateRegistry.getRegistry().rebind("gate", UnicastRemoteObject.exportObject(gate, 0));
        System.out.println("sessions: gate open");
    }
}
