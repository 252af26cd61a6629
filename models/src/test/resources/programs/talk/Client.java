package talk;

import java.rmi.Naming;
import java.rmi.RemoteException;
import java.rmi.server.UnicastRemoteObject;

public class Client extends UnicastRemoteObject implements Listener {
    private static final long serialVersionUID = 1L;
    private final String name;

    Client(String name) throws RemoteException {
        this.name = name;
    }

    public void hear(String from, String line) {
        System.out.println(name + " hears from " + from + ": " + line);
    }

    public static void main(String[] args) throws Exception {
        Room room = (Room) Naming.lookup("rmi://" + args[0] + "/talk");
        Client ann = new Client("ann");
        Client bob = new Client("bob");
        room.join("ann", ann);
        room.join("bob", bob);
        try {
            room.join("bob", ann);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        System.out.println("heard by " + room.say("ann", "hello"));
        System.out.println("heard by " + room.say("nobody", "hello, all"));
        System.out.println(room.leave("bob") + " " + room.leave("bob"));
        System.out.println("heard by " + room.say("ann", "alone"));
        room.leave("ann");
        unexportObject(ann, true);
        unexportObject(bob, true);
    }
}
