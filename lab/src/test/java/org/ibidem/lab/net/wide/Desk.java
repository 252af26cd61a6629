package org.ibidem.lab.net.wide;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.server.Unreferenced;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.ibidem.peer.Deliberation;
import org.ibidem.peer.Purpose;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.registry.operation.Diagnosis;
import org.ibidem.rmi.Rmi;
import org.jspecify.annotations.Nullable;

/// What hosts of a laboratory call each other by, and the processes there.
public interface Desk extends Remote {
    /// Adds to a sum.
    int add(int value) throws RemoteException;

    /// Calls back, from within the call.
    int tell(Listener listener, int value) throws RemoteException;

    /// Gives an object that only stubs keep.
    Listener make() throws RemoteException;

    /// Who is called back.
    interface Listener extends Remote {
        /// Gives the next number.
        int heard(int value) throws RemoteException;
    }

    /// `HUB server`: says `ready`, and `unreferenced N` for each object that nobody has any more.
    ///
    /// `HUB client`: calls, says `sum N`, `called back N`, `method NAME` (of the connection), `has
    /// N` (of an object it keeps); when it is told something lets go of that object.
    static void main(String[] args) throws Exception {
        var join = Join.pool("desks").hub(args[0]).open(true).limit(Duration.ofSeconds(40));
        var node = Node.join(join);
        var rmi = Rmi.open(node);
        if (args[1].equals("server")) {
            rmi.names().bind("desk", rmi.export(new Serving(rmi)));
            say("ready");
            while (true) {
                LockSupport.park(rmi); // it is killed
            }
        }
        call(node, rmi);
    }

    private static void say(String line) {
        System.out.println(line);
    }

    private static void call(Node node, Rmi rmi) throws Exception {
        var desk = rmi.names().lookup("desk", Desk.class);
        say("sum " + desk.add(5));
        Listener mine = value -> value + 1;
        say("called back " + desk.tell(rmi.export(mine, Listener.class), 7));
        var peer = Rmi.home(desk);
        say(
                "method "
                        + Diagnosis.of(node)
                                .deliberation(peer, Purpose.DATA)
                                .map(Deliberation::method)
                                .orElse("accepted"));
        Listener[] kept = {desk.make()};
        say("has " + kept[0].heard(1));
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        in.readLine();
        say("value " + kept[0].heard(2));
        letGo(kept);
        while (true) {
            System.gc();
            LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
        }
    }

    private static void letGo(@Nullable Listener[] kept) {
        kept[0] = null;
    }

    /// A desk.
    final class Serving implements Desk {
        private final AtomicInteger sum = new AtomicInteger();
        private final AtomicInteger gone = new AtomicInteger();
        private final Rmi rmi;

        Serving(Rmi rmi) {
            this.rmi = rmi;
        }

        @Override
        public int add(int value) {
            return sum.addAndGet(value);
        }

        @Override
        public int tell(Listener listener, int value) throws RemoteException {
            return listener.heard(value);
        }

        @Override
        public Listener make() {
            return rmi.export(new Made(gone), Listener.class);
        }
    }

    /// One of its objects.
    record Made(AtomicInteger gone) implements Listener, Unreferenced {
        @Override
        public int heard(int value) {
            return value + 100;
        }

        @Override
        public void unreferenced() {
            say("unreferenced " + gone.incrementAndGet());
        }
    }
}
