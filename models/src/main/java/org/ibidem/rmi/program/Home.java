package org.ibidem.rmi.program;

import java.lang.System.Logger.Level;
import java.lang.invoke.SerializedLambda;
import java.nio.file.Path;
import java.rmi.ConnectException;
import java.rmi.RemoteException;
import org.ibidem.IbidemException;
import org.ibidem.config.Settings;
import org.ibidem.port.PortType;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.rmi.Rmi;
import org.ibidem.serial.ObjectPolicy;
import org.ibidem.serial.ProgramClasses;
import org.jspecify.annotations.Nullable;

/// This process's node and its part in remote calls, made when a program of `java.rmi` first needs
/// them. Settings: those of [Join#fromEnvironment]; `ibidem.rmi.stack`, what calls go over;
/// `ibidem.rmi.own`, the folder or jar whose classes are let in; `ibidem.rmi.allow`, what else is.
public final class Home {
    private static final System.Logger LOG = System.getLogger(Home.class.getName());
    private static final String OWN = "ibidem.rmi.own";
    private static final long LOOK_EVERY_MILLIS = 100;

    private static @Nullable Home own;

    private final Node node;
    private final Rmi rmi;
    private @Nullable Thread keeper;

    private Home(Node node, Rmi rmi) {
        this.node = node;
        this.rmi = rmi;
    }

    /// That of this process.
    ///
    /// @throws ConnectException when its pool cannot be joined
    static synchronized Home own() throws ConnectException {
        var known = own;
        if (known == null) {
            boolean interrupted = Thread.interrupted();
            try {
                known = opened(Join.fromEnvironment());
            } catch (IbidemException e) {
                throw new ConnectException("no pool to call in: " + e.getMessage(), e);
            } finally {
                again(interrupted);
            }
            Runtime.getRuntime()
                    .addShutdownHook(Thread.ofPlatform().name("rmi-end").unstarted(known::close));
            own = known;
        }
        return known;
    }

    /// Makes a node and a part that have been opened already those of this process.
    ///
    /// @throws IllegalStateException when it has some
    public static synchronized void is(Node node, Rmi rmi) {
        if (own != null) {
            throw new IllegalStateException("this process has a node for its remote calls");
        }
        own = new Home(node, rmi);
    }

    /// Forgets them; who has opened them closes them.
    public static synchronized void isNone() {
        own = null;
    }

    private static Home opened(Join join) {
        var settings = Settings.system();
        var options =
                Rmi.Options.usual()
                        .stack(settings.value("ibidem.rmi.stack", PortType.AUTO))
                        .policy(policy(settings))
                        .uninterruptible();
        var node = Node.join(join);
        try {
            return new Home(node, Rmi.open(node, options));
        } catch (RuntimeException e) {
            node.close();
            throw e;
        }
    }

    private static ObjectPolicy policy(Settings settings) {
        var policy =
                ProgramClasses.allow(
                        ObjectPolicy.NOTHING_BUT_VALUES
                                .allow(PoolRegistry.class)
                                .allow(MarshalledObject.class)
                                .allow(SerializedLambda.class), // of classes that are let in
                        settings.value("ibidem.rmi.allow", ""));
        var place = settings.value(OWN, "");
        return place.isEmpty() ? policy : policy.allowWhere(ProgramClasses.in(Path.of(place), OWN));
    }

    Node node() {
        return node;
    }

    Rmi rmi() {
        return rmi;
    }

    /// Keeps this process alive as long as it has exported objects.
    synchronized void keepsAlive() {
        if (keeper == null) {
            keeper = Thread.ofPlatform().name("rmi-keeps-alive").start(this::keep);
        }
    }

    private void keep() {
        try {
            while (isWanted()) {
                Thread.sleep(LOOK_EVERY_MILLIS);
            }
        } catch (InterruptedException e) {
            LOG.log(Level.DEBUG, "exported objects no longer keep this process alive", e);
        }
    }

    private synchronized boolean isWanted() {
        boolean wanted = rmi.exported() > 0;
        if (!wanted) {
            keeper = null;
        }
        return wanted;
    }

    private void close() {
        try (node;
                rmi) {
            LOG.log(Level.DEBUG, "the program has ended");
        }
    }

    /// What asks the pool.
    ///
    /// @param <E> what else it may throw
    interface Asked<T, E extends Exception> {
        T answer() throws RemoteException, E;
    }

    /// Has what Ibidem throws be a [RemoteException], as programs of `java.rmi` know them.
    static <T, E extends Exception> T asked(Asked<T, E> what) throws RemoteException, E {
        boolean interrupted = Thread.interrupted();
        try {
            return what.answer();
        } catch (IbidemException | IllegalStateException e) {
            throw new ConnectException("the pool does not answer: " + e.getMessage(), e);
        } finally {
            again(interrupted);
        }
    }

    /// A thread that was interrupted before asks like any other, as in `java.rmi`.
    private static void again(boolean interrupted) {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
