package chat;

import java.rmi.Naming;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A room that calls its guests back. */
public class Main {
    static class Hall extends UnicastRemoteObject implements Room {
        private static final long serialVersionUID = 1L;
        private final List<Guest> guests = new ArrayList<>();

        Hall() throws RemoteException {
            super();
        }

        public synchronized void enter(String name, Guest guest) throws RemoteException {
            guests.add(guest);
            all(name + " comes in");
        }

        public synchronized void say(String name, String what) throws RemoteException {
            all(name + ": " + what);
        }

        public synchronized void leave(Guest guest) throws RemoteException {
            System.out.println("known: " + guests.remove(guest));
            all("somebody leaves");
        }

        private void all(String line) throws RemoteException {
            for (Guest guest : guests) {
                guest.hear(line);
            }
        }
    }

    static class Person extends UnicastRemoteObject implements Guest {
        private static final long serialVersionUID = 1L;
        private final String name;

        Person(String name) throws RemoteException {
            this.name = name;
        }

        public void hear(String line) {
            System.out.println(name + " hears " + line);
        }
    }

    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args[0]);
        Registry registry = LocateRegistry.createRegistry(port);
        Hall hall = new Hall();
        Naming.rebind("rmi://localhost:" + port + "/hall", hall);
        System.out.println(
                Arrays.toString(Naming.list("//localhost:" + port)).replace("" + port, "PORT"));
        Room room = (Room) Naming.lookup("//localhost:" + port + "/hall");
        Person ann = new Person("ann");
        Person bob = new Person("bob");
        room.enter("ann", ann);
        room.enter("bob", bob);
        room.say("bob", "hello");
        room.leave(ann);
        room.say("bob", "alone");
        for (Person each : List.of(ann, bob)) {
            System.out.println(UnicastRemoteObject.unexportObject(each, true));
        }
        try {
            room.say("bob", "gone");
        } catch (RemoteException e) {
            System.out.println(e.getClass().getName() + " of " + e.getCause().getClass().getName());
        }
        UnicastRemoteObject.unexportObject(hall, true);
        UnicastRemoteObject.unexportObject(registry, true);
    }
}
