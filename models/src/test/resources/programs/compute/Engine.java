package compute;

import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;

/** Runs whatever task it is given. */
public class Engine implements Compute {
    public <T> T executeTask(Task<T> task) {
        return task.execute();
    }

    static Registry registry;
    static Engine engine;

    @SuppressWarnings("removal")
    public static void main(String[] args) throws Exception {
        if (System.getSecurityManager() == null && args.length > 1) {
            System.setSecurityManager(new SecurityManager());
        }
        int port = Integer.parseInt(args[0]);
        engine = new Engine();
        Compute stub = (Compute) UnicastRemoteObject.exportObject(engine, 0);
        registry = LocateRegistry.createRegistry(port);
        registry.rebind("Compute", stub);
        System.out.println("engine bound");
    }

    public static void end() throws Exception {
        UnicastRemoteObject.unexportObject(engine, true);
        UnicastRemoteObject.unexportObject(registry, true);
    }
}
