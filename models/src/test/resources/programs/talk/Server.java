package talk;

import java.rmi.Naming;
import java.rmi.RemoteException;
import java.rmi.server.UnicastRemoteObject;
import java.util.LinkedHashMap;
import java.util.Map;

/** A chat: who says something is heard by all others, who are called back. */
public class Server extends UnicastRemoteObject implements Room {
    private static final long serialVersionUID = 1L;
    private final transient Map<String, Listener> listeners = new LinkedHashMap<>();

    public Server() throws RemoteException {}

    public synchronized void join(String name, Listener listener) throws RemoteException {
        if (listeners.containsKey(name)) {
            throw new IllegalArgumentException(name + " is here already");
        }
        listeners.put(name, listener);
        System.out.println("talk: " + name + " joins");
        say("server", name + " is here");
    }

    public synchronized int say(String name, String line) throws RemoteException {
        int heard = 0;
        for (Map.Entry<String, Listener> each : listeners.entrySet()) {
            if (!each.getKey().equals(name)) {
                each.getValue().hear(name, line);
                heard++;
            }
        }
        return heard;
    }

    public synchronized boolean leave(String name) {
        System.out.println("talk: " + name + " leaves");
        return listeners.remove(name) != null;
    }

    public static void main(String[] args) throws Exception {
        Naming.rebind("talk", new Server());
        System.out.println("talk: open");
    }
}
