package cursor;

import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.UnicastRemoteObject;
import java.rmi.server.Unreferenced;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicInteger;

/** A table that is read piece by piece; a cursor that nobody has any more is closed. */
public class Server extends UnicastRemoteObject implements Table {
    private static final long serialVersionUID = 1L;
    private static final AtomicInteger closed = new AtomicInteger();

    static class Range extends UnicastRemoteObject implements Rows, Unreferenced {
        private static final long serialVersionUID = 1L;
        private int at;
        private final int to;

        Range(int from, int to) throws RemoteException {
            this.at = from;
            this.to = to;
        }

        public synchronized boolean hasNext() {
            return at < to;
        }

        public synchronized String[] next(int most) {
            if (at >= to) {
                throw new NoSuchElementException("behind row " + to);
            }
            String[] rows = new String[Math.min(most, to - at)];
            for (int i = 0; i < rows.length; i++) {
                rows[i] = "row " + at++;
            }
            return rows;
        }

        public void unreferenced() {
            closed.incrementAndGet();
        }
    }

    public Server() throws RemoteException {}

    public Rows select(int from, int to) throws RemoteException {
        return new Range(from, to);
    }

    public int closed() {
        return closed.get();
    }

    public static void main(String[] args) throws Exception {
        LocateRegistry.getRegistry().rebind("table", new Server());
        System.out.println("cursor: table bound");
    }
}
