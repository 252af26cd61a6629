package org.ibidem.lab.badday;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.rmi.NotBoundException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.server.Unreferenced;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.ibidem.registry.Node;
import org.ibidem.rmi.Rmi;

/// What [CallsKilledTest] calls, and who calls it from a process of its own.
final class Calls {
    /// More than what is under way between two processes: such a message is never wholly sent
    /// before it is read.
    private static final int BYTES = 20_000_000;

    private static final long LOOK = 5_000_000;

    private Calls() {}

    /// What is called.
    public interface Desk extends Remote {
        int add(int value) throws RemoteException;

        /// Returns when the desk opens.
        int await(int value) throws RemoteException, InterruptedException;

        Thing make() throws RemoteException;

        /// Never comes whole.
        Torn torn() throws RemoteException;

        int take(Torn value) throws RemoteException;
    }

    /// Beside it.
    public interface Later {
        CompletableFuture<Integer> await(int value);

        CompletableFuture<Integer> add(int value);

        CompletableFuture<Torn> torn();

        CompletableFuture<Integer> take(Torn value);
    }

    /// What a desk makes.
    public interface Thing extends Remote {
        int value() throws RemoteException;
    }

    /// Writes much of itself, says so, and nothing more.
    static final class Torn implements Serializable {
        private static final long serialVersionUID = 1L;

        /// Written in this order.
        final byte[] all = new byte[BYTES];

        final Rest more = new Rest();
    }

    /// Behind it.
    static final class Rest implements Serializable {
        private static final long serialVersionUID = 1L;

        private void writeObject(ObjectOutputStream to) throws IOException {
            System.out.println("tearing " + to);
            while (true) {
                LockSupport.park(this);
            }
        }
    }

    /// A desk that counts.
    static final class Counting implements Desk {
        final AtomicInteger sum = new AtomicInteger();
        final AtomicInteger inside = new AtomicInteger();
        final AtomicInteger interrupted = new AtomicInteger();
        final AtomicInteger taken = new AtomicInteger();
        final AtomicInteger unreferenced = new AtomicInteger();
        final CountDownLatch open = new CountDownLatch(1);
        private final Rmi rmi;

        Counting(Rmi rmi) {
            this.rmi = rmi;
        }

        @Override
        public int add(int value) {
            return sum.addAndGet(value);
        }

        @Override
        public int await(int value) throws InterruptedException {
            System.out.println("inside " + inside.incrementAndGet());
            try {
                open.await();
            } catch (InterruptedException e) {
                interrupted.incrementAndGet();
                throw e;
            } finally {
                inside.decrementAndGet();
            }
            return value;
        }

        @Override
        public Thing make() {
            return rmi.export(new Made(unreferenced), Thing.class);
        }

        @Override
        public Torn torn() {
            return new Torn();
        }

        @Override
        public int take(Torn value) {
            return taken.incrementAndGet();
        }
    }

    private record Made(AtomicInteger told) implements Thing, Unreferenced {
        @Override
        public int value() {
            return 7;
        }

        @Override
        public void unreferenced() {
            told.incrementAndGet();
        }
    }

    /// A node's part over a stack.
    static Rmi open(Node node, String stack) {
        return Rmi.open(node, Rmi.Options.usual().stack(stack));
    }

    /// A process with a desk in the pool.
    static void serve(Node node, String stack) {
        var rmi = open(node, stack);
        try {
            rmi.names().bind("desk", rmi.export(new Counting(rmi)));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        System.out.println("ready " + node.id());
    }

    /// A process that has a thing of the desk; told to come to an end it asks for its value, and
    /// again.
    static void hold(Node node, String stack) {
        try {
            var thing = desk(open(node, stack)).make();
            System.out.println("has " + thing.value());
            while (true) {
                while (!Role.wasTold()) {
                    LockSupport.parkNanos(LOOK);
                }
                System.out.println("value " + thing.value());
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /// A process that has a thing, waits for the desk to open, twice, and sends what is never
    /// whole.
    static void call(Node node, String stack) {
        var rmi = open(node, stack);
        try {
            var desk = desk(rmi);
            var thing = desk.make();
            System.out.println("has " + thing.value());
            var later = rmi.beside(desk, Later.class);
            var waits = later.await(1);
            var more = later.await(2);
            while (!Role.wasTold()) {
                LockSupport.parkNanos(LOOK);
            }
            System.out.println(desk.take(new Torn()) + " " + thing + waits + more);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    static Desk desk(Rmi rmi) throws RemoteException, NotBoundException {
        return rmi.names().lookup("desk", Desk.class);
    }
}
