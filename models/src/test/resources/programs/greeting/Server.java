package greeting;

import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;

/** The smallest server there is; the registry is a process of its own. */
public class Server implements Hello {
    public String sayHello() {
        return "hello, world";
    }

    public static void main(String[] args) {
        try {
            Server server = new Server();
            Hello stub = (Hello) UnicastRemoteObject.exportObject(server, 0);
            Registry registry = LocateRegistry.getRegistry();
            registry.bind("Hello", stub);
            System.out.println("greeting: server ready");
        } catch (Exception e) {
            System.out.println("greeting: server exception: " + e);
        }
    }
}
