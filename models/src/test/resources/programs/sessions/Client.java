package sessions;

import java.rmi.NoSuchObjectException;
import java.rmi.registry.LocateRegistry;

public class Client {
    public static void main(String[] args) throws Exception {
        Gate gate = (Gate) LocateRegistry.getRegistry(args[0], 1099).lookup("gate");
        try {
            gate.login("eve", "secret");
        } catch (Denied e) {
            System.out.println(e.getMessage());
        }
        Session ann = gate.login("ann", "nna");
        Session bob = gate.login("bob", "bob");
        ann.add("tea");
        bob.add("milk");
        ann.items().add("lost, as this is a copy");
        Session twin = ann.twin();
        twin.add("cup");
        System.out.println(ann.items() + " " + bob.items() + " " + twin.items());
        System.out.println(gate.open() + " open, equal: " + ann.equals(twin) + ann.equals(ann));
        for (Session each : new Session[] {ann, bob, twin}) {
            each.close();
        }
        System.out.println(gate.open() + " open");
        try {
            ann.items();
        } catch (NoSuchObjectException e) {
            System.out.println("closed: " + e.getClass().getName());
        }
    }
}
