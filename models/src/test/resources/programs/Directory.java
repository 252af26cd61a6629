import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.Hashtable;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.NameAlreadyBoundException;
import javax.naming.NameClassPair;
import javax.naming.NameNotFoundException;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;

interface Greeting extends Remote {
    String greet(String name) throws RemoteException;
}

/** Objects that are bound and found by JNDI. */
public class Directory extends UnicastRemoteObject implements Greeting {
    Directory() throws RemoteException {}

    public String greet(String name) {
        return "greetings, " + name;
    }

    static Object told(Context names, String name) {
        try {
            return ((Greeting) names.lookup(name)).greet(name.replaceFirst(".*/", ""));
        } catch (NameNotFoundException e) {
            return "nobody";
        } catch (NamingException | RemoteException e) {
            return e;
        }
    }

    public static void main(String[] args) throws Exception {
        Registry registry = LocateRegistry.createRegistry(Integer.parseInt(args[0]));
        String at = "rmi://localhost:" + args[0];
        Directory one = new Directory();
        Context names = new InitialContext();
        names.bind(at + "/one", one);
        System.out.println(told(names, at + "/one") + ", " + told(names, at + "/two"));
        try {
            names.bind(at + "/one", one);
        } catch (NameAlreadyBoundException e) {
            System.out.println("already bound");
        }
        names.rebind(at + "/one", one);
        names.rename(at + "/one", at + "/two");
        System.out.println(told(names, at + "/one") + ", " + told(names, at + "/two"));

        Hashtable<String, String> settings = new Hashtable<>();
        settings.put(
                Context.INITIAL_CONTEXT_FACTORY,
                "com.sun.jndi.rmi.registry.RegistryContextFactory");
        settings.put(Context.PROVIDER_URL, at);
        Context here = new InitialContext(settings);
        here.bind("three", one);
        System.out.println(told(here, "two") + ", " + told((Context) names.lookup(at), "three"));
        NamingEnumeration<NameClassPair> all = names.list(at);
        java.util.TreeSet<String> sorted = new java.util.TreeSet<>();
        while (all.hasMore()) {
            sorted.add(all.next().getName());
        }
        System.out.println(sorted);
        System.out.println(((Greeting) registry.lookup("three")).greet("registry"));

        for (String name : sorted) {
            names.unbind(at + "/" + name);
            here.unbind(name);
        }
        System.out.println(told(here, "two"));
        UnicastRemoteObject.unexportObject(one, true);
        UnicastRemoteObject.unexportObject(registry, true);
        refusals(names);
    }

    static void refusals(Context names) throws Exception {
        for (String wrong : new String[] {"rmi://a b/c", "//nowhere/c"}) {
            try {
                System.out.println(names.lookup(wrong));
            } catch (NamingException e) {
                System.out.println(e.getClass());
            }
        }
        String nobody = "rmi://localhost:" + unused();
        for (String what : new String[] {nobody + "/one", nobody}) {
            try {
                System.out.println(what.endsWith("one") ? names.lookup(what) : names.list(what));
            } catch (NamingException e) {
                System.out.println(e.getClass());
            }
        }
    }

    static int unused() throws java.io.IOException {
        try (java.net.ServerSocket socket = new java.net.ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
