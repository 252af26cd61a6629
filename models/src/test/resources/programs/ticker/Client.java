package ticker;

import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.UnicastRemoteObject;

public class Client {
    static class Printing extends UnicastRemoteObject implements Observer {
        private static final long serialVersionUID = 1L;
        private final String name;
        private final double most;

        Printing(String name, double most) throws RemoteException {
            this.name = name;
            this.most = most;
        }

        public void changed(Quote quote) {
            if (quote.price > most) {
                throw new IllegalStateException("too dear");
            }
            System.out.println(name + " sees " + quote);
        }
    }

    public static void main(String[] args) throws Exception {
        Subject subject = (Subject) LocateRegistry.getRegistry(args[0]).lookup("ticker");
        Printing one = new Printing("one", 1000);
        Printing poor = new Printing("poor", 10);
        Printing gone = new Printing("gone", 1000);
        System.out.println(subject.add(one) + " " + subject.add(one));
        subject.add(poor);
        subject.add(gone);
        System.out.println(subject.publish(new Quote("abc", 9.5, "here")));
        UnicastRemoteObject.unexportObject(gone, true);
        System.out.println(subject.publish(new Quote("abc", 10.5, "here")));
        System.out.println(subject.publish(new Quote("xyz", 1, "here")));
        System.out.println(subject.remove(one) + " " + subject.remove(poor));
        UnicastRemoteObject.unexportObject(one, true);
        UnicastRemoteObject.unexportObject(poor, true);
    }
}
