package tally;

import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.UnicastRemoteObject;

/** One object that many threads call at once. */
public class Server extends UnicastRemoteObject implements Counter {
    private static final long serialVersionUID = 1L;
    private long value;

    public Server() throws RemoteException {
        super(0);
    }

    public synchronized long next() {
        value++;
        notifyAll();
        return value;
    }

    public synchronized void awaitValue(long wanted) throws InterruptedException {
        while (value < wanted) {
            wait();
        }
    }

    public synchronized long value() {
        return value;
    }

    public static void main(String[] args) throws Exception {
        LocateRegistry.getRegistry().rebind("tally", new Server());
        System.out.println("tally: bound");
    }
}
