package org.ibidem.lab.badday;

import java.nio.file.Path;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.ibidem.port.Capability;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.ReceiveSetup;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.rmi.Rmi;
import org.ibidem.satin.Job;
import org.ibidem.satin.Satin;
import org.ibidem.wrap.Agent;

/// A process whose node serves a port with upcalls, remote objects, Satin and an agent of `wrap`,
/// all of which compute until they are told to end. It has two carriers for virtual threads.
final class BusyProgram {
    static final PortType TYPE = PortType.manyToOne().with(Capability.UPCALLS);

    /// Of upcalls and of remote calls, which are virtual threads.
    static final int CARRIERS = 2;

    private static final CountDownLatch END = new CountDownLatch(1);

    private BusyProgram() {}

    /// What is called from another process.
    interface Computes extends Remote {
        void compute() throws RemoteException;
    }

    private static void compute(String who) {
        System.out.println("busy " + who);
        while (END.getCount() > 0) {
            Thread.onSpinWait();
        }
    }

    private static final class Computing extends Job {
        private static final long serialVersionUID = 1;

        @Override
        protected void run() {
            compute("job");
        }

        @Override
        protected Object result() {
            return 0;
        }

        @Override
        protected void result(Object came) {
            // it computes for nothing
        }
    }

    /// Holds all carriers.
    ///
    /// @param arguments the hub's port, and a folder for the agent of `wrap`
    public static void main(String[] arguments) throws Exception {
        var join = Join.pool("busy").hub("localhost:" + arguments[0]).limit(Other.LONG);
        var node = Node.join(join);
        var _ = ReceivePort.open(node, TYPE, "in", ReceiveSetup.USUAL.upcall(_ -> compute("port")));
        var rmi = Rmi.open(node, Rmi.Options.usual().stack("tcp"));
        rmi.names().bind("object", rmi.export((Computes) () -> compute("call"), Computes.class));
        var satin = Satin.open(node, Satin.Options.USUAL.threads(1));
        var _ = Agent.start(node, "", "auto", Path.of(arguments[1], "agent"));
        System.out.println("ready " + node.id());
        Thread.ofPlatform().daemon().start(() -> work(satin));
        System.in.read();
        var virtual = new CountDownLatch(1);
        Thread.startVirtualThread(virtual::countDown);
        boolean free = virtual.await(Duration.ofSeconds(1).toMillis(), TimeUnit.MILLISECONDS);
        System.out.println("carriers " + (free ? "free" : "held"));
        END.countDown();
        System.out.println("node " + (node.isClosed() ? "closed" : "alive"));
        System.in.read();
        Runtime.getRuntime().halt(0);
    }

    private static void work(Satin satin) {
        try {
            satin.run(() -> {
                Job.sync(Job.spawn(new Computing(), null));
                return 0;
            });
        } catch (ExecutionException e) {
            throw new AssertionError(e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
