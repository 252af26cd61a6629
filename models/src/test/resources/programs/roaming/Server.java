package roaming;

import java.rmi.Naming;
import java.rmi.RemoteException;
import java.rmi.server.UnicastRemoteObject;

/** Three hosts for agents, each of which gets a thread. */
public class Server extends UnicastRemoteObject implements Host {
    private static final long serialVersionUID = 1L;
    private final String name;

    public Server(String name) throws RemoteException {
        this.name = name;
    }

    public String name() {
        return name;
    }

    public void accept(Agent agent) {
        System.out.println("roaming: " + name + " has an agent, " + agent.diary().size());
        new Thread(
                        () -> {
                            try {
                                agent.arrive(this);
                            } catch (RemoteException e) {
                                e.printStackTrace(System.out);
                            }
                        })
                .start();
    }

    public static void main(String[] args) throws Exception {
        for (String name : new String[] {"north", "south", "west"}) {
            Naming.rebind("//localhost/" + name, new Server(name));
        }
        System.out.println("roaming: three hosts");
    }
}
