package pi;

import java.rmi.RMISecurityManager;
import java.rmi.Naming;
import java.rmi.RemoteException;
import java.rmi.server.UnicastRemoteObject;
import java.security.Permission;

/** A compute engine, with the security manager that such programs had. */
public class Server extends UnicastRemoteObject implements Compute {
    private static final long serialVersionUID = 1L;

    protected Server() throws RemoteException {
        super();
    }

    public <T> T executeTask(Task<T> task) {
        return task.execute();
    }

    @SuppressWarnings({"removal", "deprecation"})
    public static void main(String[] args) throws Exception {
        if (args.length > 0 && System.getSecurityManager() == null) {
            System.setSecurityManager(
                    new RMISecurityManager() {
                        @Override
                        public void checkPermission(Permission permission) {}
                    });
        }
        Naming.rebind("rmi://localhost:1099/Compute", new Server());
        System.out.println("pi: engine bound");
    }
}
