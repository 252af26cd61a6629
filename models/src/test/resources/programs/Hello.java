import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RemoteObject;
import java.rmi.server.UnicastRemoteObject;

interface Greets extends java.rmi.Remote {
    String hello(String name) throws RemoteException;
}

/** All in one file, with an interface that is not public. */
public class Hello implements Greets {
    public String hello(String name) {
        return "hello, " + name;
    }

    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args[0]);
        Hello hello = new Hello();
        Greets stub = (Greets) UnicastRemoteObject.exportObject(hello, 0);
        Registry registry = LocateRegistry.createRegistry(port);
        registry.bind("Hello", stub);
        Greets found = (Greets) LocateRegistry.getRegistry(null, port).lookup("Hello");
        System.out.println(found.hello("world") + found.equals(RemoteObject.toStub(hello)));
        try {
            UnicastRemoteObject.exportObject(hello, 0);
        } catch (java.rmi.server.ExportException e) {
            System.out.println(e.getMessage());
        }
        System.out.println("java/rmi/Naming".length() + " java/rmi/server/UnicastRemoteObject");
        while (!UnicastRemoteObject.unexportObject(hello, false)) {
            Thread.onSpinWait(); // the call that was answered is just ending
        }
        System.out.println("unexported");
        try {
            UnicastRemoteObject.unexportObject(hello, false);
        } catch (java.rmi.NoSuchObjectException e) {
            System.out.println("not exported");
        }
        UnicastRemoteObject.unexportObject(registry, true);
    }
}
