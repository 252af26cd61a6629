import java.rmi.Naming;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.Arrays;
import java.util.concurrent.Callable;

interface Asked extends Remote {
    String answer() throws RemoteException;

    String interrupt() throws RemoteException;
}

/** Asks a registry that nobody has made, and calls with a thread that is interrupted. */
public class Impatient implements Asked {
    static final Thread caller = Thread.currentThread();

    public String answer() {
        return "answered, " + Thread.currentThread().isInterrupted();
    }

    public String interrupt() {
        caller.interrupt();
        return "interrupted";
    }

    static void tell(String what, Callable<?> asks) {
        try {
            System.out.println(what + ": " + asks.call());
        } catch (Exception e) {
            System.out.println(what + ": " + e.getClass());
        }
    }

    /** The same when the thread is interrupted before. */
    static void tellInterrupted(String what, Callable<?> asks) {
        Thread.currentThread().interrupt();
        tell(what, asks);
        System.out.println("still interrupted: " + Thread.interrupted());
    }

    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args[0]);
        Registry none = LocateRegistry.getRegistry(port);
        String at = "//localhost:" + port;
        tell("list", () -> none.list().length);
        tell("lookup", () -> none.lookup("asked"));
        tell("unbind", () -> { none.unbind("asked"); return "it was bound"; });
        tell("list", () -> Naming.list(at).length);
        tell("lookup", () -> Naming.lookup(at + "/asked"));

        Impatient asked = new Impatient();
        Remote stub = UnicastRemoteObject.exportObject(asked, 0);
        Registry registry = LocateRegistry.createRegistry(port);
        tell("list", () -> none.list().length);
        tell("lookup", () -> none.lookup("asked"));
        tell("unbind", () -> { none.unbind("asked"); return "it was bound"; });
        tellInterrupted("bind", () -> { registry.bind("asked", stub); return "bound"; });
        tellInterrupted("rebind", () -> { registry.rebind("asked", stub); return "bound"; });
        tellInterrupted("list", () -> Arrays.toString(registry.list()));
        Asked found = (Asked) registry.lookup("asked");
        tell("call", found::answer);
        tellInterrupted("call", found::answer);
        tell("call", found::interrupt);
        System.out.println("now interrupted: " + Thread.interrupted());
        tellInterrupted("unbind", () -> { registry.unbind("asked"); return "unbound"; });
        UnicastRemoteObject.unexportObject(asked, true);
        UnicastRemoteObject.unexportObject(registry, true);
    }
}
