package play;

import java.rmi.AlreadyBoundException;
import java.rmi.NotBoundException;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.ExportException;
import java.rmi.server.UnicastRemoteObject;
import java.util.Iterator;
import java.util.List;

/**
 * Three processes: the registry, all servers, then all clients one after the other. Arguments: seven
 * ports that are free, for programs with a registry of their own, as 4001,4002; what servers are told.
 */
public class Play implements End {
    static final List<String> PAIRS =
            List.of(
                    "greeting", "pi", "talk", "teller", "sessions", "cursor", "shapes", "roaming",
                    "ticker", "tally");
    static final List<String> ALONE =
            List.of("bank.Main", "chat.Main", "Hello", "Weather", "Files", "Workers");
    static final End mine = new Play();

    public void end() {
        new Thread(() -> System.exit(0)).start();
    }

    public static void main(String[] args) throws Exception {
        End stub = (End) UnicastRemoteObject.exportObject(mine, 0);
        if (isRegistry()) {
            LocateRegistry.getRegistry().bind("end-registry", stub);
            System.out.println("= registry");
        } else if (isServer(stub)) {
            System.out.println("= servers");
            String[] told = args.length > 1 ? new String[] {args[1]} : new String[0];
            for (String each : PAIRS) {
                call(each + ".Server", "main", told);
            }
            LocateRegistry.getRegistry().bind("all-serve", stub);
        } else {
            System.out.println("= clients");
            await("all-serve");
            clients(List.of(args[0].split(",")).iterator());
            for (String each : List.of("end-servers", "end-registry")) {
                try {
                    await(each).end();
                } catch (RemoteException e) {
                    // it ended before it could answer
                }
            }
            System.exit(0);
        }
    }

    static void clients(Iterator<String> ports) throws Exception {
        for (String each : PAIRS) {
            System.out.println("== " + each);
            call(each + ".Client", "main", new String[] {"localhost"});
        }
        for (String each : ALONE) {
            System.out.println("== " + each.replace(".Main", ""));
            call(each, "main", new String[] {ports.next()});
        }
        System.out.println("== compute");
        String port = ports.next();
        call("compute.Engine", "main", new String[] {port});
        call("compute.Ask", "main", new String[] {port});
        Class.forName("compute.Engine").getMethod("end").invoke(null);
    }

    static void call(String type, String method, String[] args) throws Exception {
        Class.forName(type).getMethod(method, String[].class).invoke(null, (Object) args);
    }

    static boolean isRegistry() throws RemoteException {
        try {
            LocateRegistry.createRegistry(Registry.REGISTRY_PORT);
            return true;
        } catch (ExportException e) {
            return false;
        }
    }

    static boolean isServer(End stub) throws RemoteException {
        try {
            LocateRegistry.getRegistry().bind("end-servers", stub);
            return true;
        } catch (AlreadyBoundException e) {
            return false;
        }
    }

    static End await(String name) throws Exception {
        while (true) {
            try {
                return (End) LocateRegistry.getRegistry().lookup(name);
            } catch (NotBoundException e) {
                Thread.sleep(20);
            }
        }
    }
}
