package org.ibidem.lab.bench.rmi;

import io.grpc.Server;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.UnicastRemoteObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.ibidem.lab.bench.TreeNode;
import org.ibidem.lab.bench.crowd.Worker;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.rmi.Rmi;

/// A process of the benchmark, which does what the lines say that it reads, and answers each.
/// Arguments: `server` or `client`; `jdk`, `grpc`, `grpc-unix`, `questions-sleep`, or the stack
/// that ours goes over; the hub's port, or for a client of the JDK's that of the registry, for one
/// of gRPC's the server's.
///
/// | line | answer |
/// |---|---|
/// | `null N`, `int N`, `bytes N`, `ints N`, `doubles N`, `tree N` | of a client: nanoseconds for each of N calls, one after the other |
/// | `threads T N` | of a client: nanoseconds for each of N calls of T threads together |
/// | `export N` | of a server: bytes of heap for each of N exported objects |
final class Part {
    /// The way that is no remote call.
    static final String QUESTIONS = "questions";

    private static final String NAME = "calls";
    private static final int BYTES = 100_000;
    private static final int TREE = 1023;
    private static final Duration LIMIT = Duration.ofSeconds(30);

    /// Has an object called.
    private interface Exporter {
        Remote export(Remote object) throws RemoteException;
    }

    private interface Command {
        double answer(List<String> words) throws Exception;
    }

    private Part() {}

    public static void main(String[] arguments) throws Exception {
        boolean server = arguments[0].equals("server");
        var at = arguments[2];
        switch (arguments[1]) {
            case "jdk" -> jdk(server, Integer.parseInt(at));
            case "grpc" -> grpc(server, Integer.parseInt(at));
            case "grpc-unix" -> grpcUnix(server, at);
            case QUESTIONS + "-sleep" -> questions(server, at);
            default -> ours(server, arguments);
        }
    }

    private static void ours(boolean server, String... arguments) throws Exception {
        var options = Rmi.Options.usual().stack(arguments[1].replace("-sleep", ""));
        var join = Join.pool("rmi-" + arguments[1]).hub("localhost:" + arguments[2]);
        try (var node = Node.join(join);
                var rmi = Rmi.open(node, options)) {
            if (server) {
                rmi.names().bind(NAME, rmi.export(new Calls.Served()));
                answer("0");
                serve(words -> exported(words, rmi::export));
            } else {
                client(rmi.names().lookup(NAME, Calls.class, LIMIT));
            }
        }
    }

    private static void questions(boolean server, String port) throws Exception {
        try (var node = Node.join(Join.pool(QUESTIONS).hub("localhost:" + port))) {
            if (server) {
                node.elections().elect(NAME);
                try (var _ = QuestionCalls.serve(node)) {
                    answer("0");
                    serve(Part::nothingElse);
                }
            } else {
                var winner = node.elections().result(NAME, LIMIT).orElseThrow().winner().id();
                try (var calls = QuestionCalls.of(node, winner)) {
                    client(calls);
                }
            }
        }
    }

    private static void grpc(boolean server, int port) throws Exception {
        if (server) {
            var served = GrpcCalls.serve();
            answer("" + served.getPort());
            serveUntilEnd(served);
        } else {
            try (var calls = GrpcCalls.at(port)) {
                client(calls);
            }
        }
    }

    /// @param socket of the server, as it says
    private static void grpcUnix(boolean server, String socket) throws Exception {
        if (server) {
            var folder = Files.createTempDirectory("ibidem-rmi");
            var file = folder.resolve("socket");
            var served = GrpcCalls.serve(file);
            answer(file.toString());
            serveUntilEnd(served);
            Files.deleteIfExists(file);
            Files.delete(folder);
            System.exit(0); // threads of Netty's that gRPC does not end
        } else {
            try (var calls = GrpcCalls.at(Path.of(socket))) {
                client(calls);
            }
        }
    }

    private static void serveUntilEnd(Server served) throws Exception {
        serve(Part::nothingElse);
        served.shutdownNow();
        served.awaitTermination();
    }

    private static double nothingElse(List<String> words) throws IOException {
        throw new IOException("not understood: " + words);
    }

    private static void jdk(boolean server, int port) throws Exception {
        if (server) {
            // the first port that is free
            var registry = LocateRegistry.createRegistry(0);
            var served = new Calls.Served();
            registry.bind(NAME, UnicastRemoteObject.exportObject(served, 0));
            var text = registry.toString();
            answer(text.replaceFirst("(?s).*endpoint:\\[[^]]*:(\\d+)].*", "$1"));
            serve(words -> exported(words, each -> UnicastRemoteObject.exportObject(each, 0)));
            System.exit(0); // what is exported would keep it
        } else {
            client((Calls) LocateRegistry.getRegistry("127.0.0.1", port).lookup(NAME));
        }
    }

    private static void client(Calls calls) throws Exception {
        answer("ready");
        serve(words -> {
            int count = Integer.parseInt(words.getLast());
            return switch (words.getFirst()) {
                case "null" ->
                        timed(
                                count,
                                () -> {
                                    calls.nothing();
                                    return 0L;
                                },
                                0);
                case "int" -> timed(count, () -> (long) calls.next(41), 42);
                case "bytes" -> {
                    var array = new byte[BYTES];
                    yield timed(count, () -> (long) calls.take(array), BYTES);
                }
                case "ints" -> {
                    var array = new int[BYTES / Integer.BYTES];
                    yield timed(count, () -> (long) calls.take(array), array.length);
                }
                case "doubles" -> {
                    var array = new double[BYTES / Double.BYTES];
                    yield timed(count, () -> (long) calls.take(array), array.length);
                }
                case "tree" -> {
                    var tree = TreeNode.full(TREE);
                    yield timed(count, () -> calls.take(tree), tree.sum());
                }
                case "threads" -> together(calls, Integer.parseInt(words.get(1)), count);
                default -> throw new IOException("not understood: " + words);
            };
        });
    }

    private static double timed(int count, Callable<Long> call, long right) throws Exception {
        long begin = System.nanoTime();
        for (int i = 0; i < count; i++) {
            long got = call.call();
            if (got != right) {
                throw new IOException("a call gave " + got + ", not " + right);
            }
        }
        return (double) (System.nanoTime() - begin) / count;
    }

    private static double together(Calls calls, int threads, int count) throws Exception {
        int each = Math.max(1, count / threads);
        try (var pool = Executors.newFixedThreadPool(threads)) {
            long begin = System.nanoTime();
            var all = new ArrayList<Future<Double>>();
            for (int i = 0; i < threads; i++) {
                all.add(pool.submit(() -> timed(each, () -> (long) calls.next(1), 2)));
            }
            for (var one : all) {
                one.get();
            }
            return (double) (System.nanoTime() - begin) / (each * threads);
        } catch (ExecutionException e) {
            throw new IOException("a call of several threads failed", e);
        }
    }

    private static double exported(List<String> words, Exporter exporter) throws Exception {
        int count = Integer.parseInt(words.getLast());
        long before = used();
        var objects = new ArrayList<Remote>();
        for (int i = 0; i < count; i++) {
            var object = new Calls.Served();
            objects.add(object);
            exporter.export(object);
        }
        double each = (double) (used() - before) / count;
        if (objects.size() != count) {
            throw new IOException("some were lost");
        }
        return each;
    }

    /// Bytes of the heap that somebody refers to.
    private static long used() {
        var runtime = Runtime.getRuntime();
        long used = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            runtime.gc();
            used = Math.min(used, runtime.totalMemory() - runtime.freeMemory());
        }
        return used;
    }

    private static void serve(Command command) throws Exception {
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (var line = lines.readLine(); line != null; line = lines.readLine()) {
            answer("" + command.answer(List.of(line.split(" ", -1))));
        }
    }

    private static void answer(String what) {
        PrintStream out = System.out;
        out.println(Worker.ANSWER + what);
        out.flush();
    }
}
