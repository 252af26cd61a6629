package roaming;

import java.rmi.Naming;
import java.rmi.RemoteException;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The home of an agent, which sends it out. */
public class Client implements Host {
    private final CompletableFuture<Agent> back = new CompletableFuture<>();

    public String name() {
        return "home";
    }

    public void accept(Agent agent) {
        back.complete(agent);
    }

    public static void main(String[] args) throws Exception {
        Client home = new Client();
        Host stub = (Host) UnicastRemoteObject.exportObject(home, 0);
        List<Host> hosts = new ArrayList<>();
        for (String name : new String[] {"south", "north", "west", "north"}) {
            hosts.add((Host) Naming.lookup("//" + args[0] + "/" + name));
        }
        new Agent(hosts, home).arrive(stub);
        Agent agent = home.back.get();
        agent.arrive(home);
        agent.diary().forEach(System.out::println);
        UnicastRemoteObject.unexportObject(home, true);
    }
}
