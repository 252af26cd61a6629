package ticker;

import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.UnicastRemoteObject;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/** Tells observers of news; whoever cannot be told is an observer no more. */
public class Server extends UnicastRemoteObject implements Subject {
    private static final long serialVersionUID = 1L;
    private final transient Set<Observer> observers = new LinkedHashSet<>();

    public Server() throws RemoteException {}

    public synchronized boolean add(Observer observer) {
        return observers.add(observer);
    }

    public synchronized boolean remove(Observer observer) {
        return observers.remove(observer);
    }

    public synchronized int publish(Quote quote) {
        System.out.println("ticker: " + quote);
        for (Iterator<Observer> all = observers.iterator(); all.hasNext(); ) {
            try {
                all.next().changed(quote);
            } catch (RemoteException | RuntimeException e) {
                System.out.println("ticker: removed for " + e.getClass().getName());
                all.remove();
            }
        }
        return observers.size();
    }

    public static void main(String[] args) throws Exception {
        LocateRegistry.getRegistry("127.0.0.1").rebind("ticker", new Server());
        System.out.println("ticker: bound");
    }
}
