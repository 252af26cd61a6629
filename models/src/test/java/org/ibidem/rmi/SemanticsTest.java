package org.ibidem.rmi;

import static org.assertj.core.api.Assertions.assertThat;

import java.rmi.NoSuchObjectException;
import java.rmi.NotBoundException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ibidem.serial.ObjectPolicy;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What comes of a call here is what comes of it with the JDK's RMI: results, and the types of
/// exceptions with those of their causes.
@Isolated("the JDK's RMI is one for the whole JVM")
@Timeout(240)
class SemanticsTest {
    /// A way to export objects and to find them.
    private interface World extends AutoCloseable {
        Remote export(Remote object) throws RemoteException;

        /// The same where callers are.
        default Remote exportHere(Remote object) throws RemoteException {
            return export(object);
        }

        boolean unexport(Remote object) throws NoSuchObjectException;

        void bind(String name, Remote object) throws Exception;

        Remote lookup(String name) throws NotBoundException, RemoteException;

        @Override
        void close();
    }

    /// The JDK's.
    private static final class Jdk implements World {
        private final List<Remote> exported = new ArrayList<>();
        private final Registry registry;

        Jdk() throws RemoteException {
            System.setProperty("java.rmi.server.hostname", "127.0.0.1"); // else it asks for names
            registry = LocateRegistry.createRegistry(0);
        }

        @Override
        public Remote export(Remote object) throws RemoteException {
            var stub = UnicastRemoteObject.exportObject(object, 0);
            exported.add(object);
            return stub;
        }

        @Override
        public boolean unexport(Remote object) throws NoSuchObjectException {
            exported.remove(object);
            return UnicastRemoteObject.unexportObject(object, true);
        }

        @Override
        public void bind(String name, Remote object) throws Exception {
            registry.bind(name, object);
        }

        @Override
        public Remote lookup(String name) throws NotBoundException, RemoteException {
            return registry.lookup(name);
        }

        @Override
        public void close() {
            try {
                for (var each : List.copyOf(exported)) {
                    unexport(each);
                }
                UnicastRemoteObject.unexportObject(registry, true);
            } catch (NoSuchObjectException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /// Ours, from one node to another.
    private static final class Ours implements World {
        private final Nodes nodes = new Nodes();
        private final Rmi server;
        private final Rmi client;

        Ours(String stack) {
            var options =
                    Rmi.Options.usual()
                            .stack(stack)
                            .policy(ObjectPolicy.NOTHING_BUT_VALUES.allow(Total.Unknown.class));
            server = nodes.part(options);
            client = nodes.part(options);
        }

        @Override
        public Remote export(Remote object) {
            return server.export(object);
        }

        @Override
        public Remote exportHere(Remote object) {
            return client.export(object);
        }

        @Override
        public boolean unexport(Remote object) {
            return server.unexport(object);
        }

        @Override
        public void bind(String name, Remote object) throws Exception {
            server.names().bind(name, object);
        }

        @Override
        public Remote lookup(String name) throws NotBoundException, RemoteException {
            return client.names().lookup(name);
        }

        @Override
        public void close() {
            nodes.close();
        }
    }

    /// Something that is done with a remote object.
    private interface Scene {
        Object play() throws Exception;
    }

    private static String outcome(Scene scene) {
        try {
            return String.valueOf(scene.play());
        } catch (Throwable e) { // it is what is compared
            var text = new StringBuilder("throws");
            for (Throwable each = e; each != null; each = each.getCause()) {
                text.append(' ').append(each.getClass().getName());
            }
            return text.toString();
        }
    }

    private static Map<String, String> played(World world) throws Exception {
        var total = new Total();
        var other = new Total();
        var stub = (Counter) world.export(total);
        var otherStub = (Counter) world.exportHere(other);
        world.bind("counter", stub);
        var counter = (Counter) world.lookup("counter");
        var scenes = new LinkedHashMap<String, Scene>();
        values(counter, scenes);
        failures(counter, scenes);
        scenes.put("me", () -> counter.me().equals(counter) && counter.me().equals(stub));
        scenes.put("me is no object", () -> counter.me() == total || counter.me() instanceof Total);
        scenes.put("hash", () -> counter.me().hashCode() == counter.hashCode());
        scenes.put("others differ", () -> otherStub.equals(counter));
        scenes.put("given", () -> counter.give(otherStub).equals(otherStub));
        scenes.put("given object", () -> counter.give(other).equals(otherStub));
        scenes.put("given nothing", () -> counter.give(null));
        scenes.put("called", () -> counter.give(other).add(2) + other.sum.get());
        scenes.put(
                "listed",
                () -> counter.listed(List.of(otherStub)).equals(List.of(otherStub, stub)));
        scenes.put("not exported", () -> counter.give(new Total()));
        scenes.put("not bound", () -> world.lookup("nobody"));
        scenes.put(
                "bound again",
                () -> {
                    world.bind("counter", otherStub);
                    return "bound";
                });
        scenes.put("exported again", () -> outcome(() -> world.export(total)).startsWith("throws"));
        scenes.put("unexported", () -> world.unexport(total));
        scenes.put("called then", () -> counter.add(1));
        var outcomes = new LinkedHashMap<String, String>();
        scenes.forEach((name, scene) -> outcomes.put(name, outcome(scene)));
        return outcomes;
    }

    @SuppressWarnings("ReferenceEquality") // it is what is compared
    private static void values(Counter counter, Map<String, Scene> scenes) {
        var array = new int[] {1, 2};
        scenes.put("add", () -> counter.add(5) + counter.add(-7));
        scenes.put(
                "nothing",
                () -> {
                    counter.nothing();
                    return "done";
                });
        scenes.put(
                "all",
                () -> counter.all(true, (byte) -1, (short) 2, 'x', 4, -5, 1.5f, Double.NaN, "é€"));
        scenes.put(
                "null string",
                () -> counter.all(false, (byte) 0, (short) 0, 'a', 0, 0, 0, 0, null));
        scenes.put("shared", () -> counter.same(array, array));
        scenes.put("equal", () -> counter.same(array, new int[] {1, 2}));
        scenes.put("both null", () -> counter.same(null, null));
        scenes.put(
                "copied",
                () -> {
                    var back = counter.swapped(new Counter.Pair(array, array));
                    return (back.left == back.right) + " " + (back.left == array);
                });
        scenes.put(
                "a circle",
                () -> {
                    var pair = new Counter.Pair("left", null);
                    pair.right = pair;
                    var back = counter.swapped(pair);
                    return ((Counter.Pair) back.left).right == back.left;
                });
        scenes.put(
                "an object of a class",
                () -> ((Total.Unknown) counter.odd(new Total.Unknown())).value);
        scenes.put("boxes", () -> counter.odd(List.of(1, 2L, 'c', 2.5)));
    }

    private static void failures(Counter counter, Map<String, Scene> scenes) {
        scenes.put(
                "declared",
                () -> {
                    counter.refuse("no");
                    return "done";
                });
        for (var kind : List.of("runtime", "error", "remote")) {
            scenes.put(
                    kind,
                    () -> {
                        counter.fail(kind);
                        return "done";
                    });
        }
        scenes.put("null at the server", () -> counter.doubled(null));
        scenes.put("not serializable", () -> counter.odd(new Object()));
        scenes.put(
                "not serializable inside",
                () -> counter.swapped(new Counter.Pair(1, new Object())));
        scenes.put(
                "both traces",
                () -> {
                    try {
                        counter.refuse("no");
                        return "done";
                    } catch (Counter.Refused e) {
                        var classes =
                                Arrays.stream(e.getStackTrace())
                                        .map(StackTraceElement::getClassName)
                                        .toList();
                        return classes.getFirst()
                                + " "
                                + classes.contains(SemanticsTest.class.getName());
                    }
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "tcp", "compress > tcp", "tls > tcp"})
    void calls_end_as_with_the_rmi_of_the_jdk(String stack) throws Exception {
        Map<String, String> expected;
        try (var jdk = new Jdk()) {
            expected = played(jdk);
        }
        try (var ours = new Ours(stack)) {
            assertThat(played(ours)).isEqualTo(expected);
        }
        assertThat(expected)
                .containsEntry("add", "3")
                .containsEntry("declared", "throws " + Counter.Refused.class.getName())
                .containsEntry("called then", "throws java.rmi.NoSuchObjectException")
                .hasSizeGreaterThan(30);
    }
}
