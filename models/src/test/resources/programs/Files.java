import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RemoteServer;
import java.rmi.server.ServerNotActiveException;
import java.rmi.server.UnicastRemoteObject;
import java.util.Arrays;
import java.util.Random;

/** A file read in pieces through a remote handle; and who calls. */
public class Files {
    public interface Handle extends Remote {
        byte[] read(int most) throws RemoteException;

        void close() throws RemoteException;
    }

    public interface Server extends Remote {
        Handle open(String name) throws RemoteException, java.io.FileNotFoundException;

        boolean isCalled() throws RemoteException;
    }

    static class Disk extends UnicastRemoteObject implements Server {
        private static final long serialVersionUID = 1L;

        Disk() throws RemoteException {}

        public Handle open(String name) throws RemoteException, java.io.FileNotFoundException {
            if (!name.equals("data")) {
                throw new java.io.FileNotFoundException(name);
            }
            byte[] data = new byte[100_000];
            new Random(7).nextBytes(data);
            return new Opened(data);
        }

        public boolean isCalled() {
            try {
                return !RemoteServer.getClientHost().isEmpty();
            } catch (ServerNotActiveException e) {
                return false;
            }
        }
    }

    static class Opened extends UnicastRemoteObject implements Handle {
        private static final long serialVersionUID = 1L;
        private final transient byte[] data;
        private int at;

        Opened(byte[] data) throws RemoteException {
            this.data = data;
        }

        public synchronized byte[] read(int most) {
            int end = Math.min(data.length, at + most);
            byte[] piece = Arrays.copyOfRange(data, at, end);
            at = end;
            return piece;
        }

        public void close() throws RemoteException {
            System.out.println("closed: " + UnicastRemoteObject.unexportObject(this, false));
            System.out.println("closed: " + UnicastRemoteObject.unexportObject(this, true));
        }
    }

    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args[0]);
        Registry registry = LocateRegistry.createRegistry(port);
        Disk disk = new Disk();
        registry.rebind("disk", disk);
        System.out.println(disk.isCalled());
        Server server = (Server) LocateRegistry.getRegistry("localhost", port).lookup("disk");
        System.out.println(server.isCalled());
        Handle handle = server.open("data");
        int sum = 0;
        int pieces = 0;
        for (byte[] piece = handle.read(4096); piece.length > 0; piece = handle.read(4096)) {
            sum = 31 * sum + Arrays.hashCode(piece);
            pieces++;
        }
        System.out.println(pieces + " pieces, " + sum);
        handle.close();
        try {
            server.open("nothing");
        } catch (java.io.FileNotFoundException e) {
            System.out.println(e.getMessage());
        }
        try {
            handle.read(1);
        } catch (java.rmi.NoSuchObjectException e) {
            System.out.println("no such handle");
        }
        UnicastRemoteObject.unexportObject(disk, true);
        UnicastRemoteObject.unexportObject(registry, true);
    }
}
