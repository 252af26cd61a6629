package org.ibidem.lab.programs;

import java.io.IOException;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.Map;
import org.ibidem.wrap.Agent;

/// `./bench programs [COUNT [ROUNDS]]`: one exchange of programs that know nothing of Ibidem, by
/// the JDK's sockets over loopback and by ours over shared memory, by turns; the best of the
/// rounds.
public final class ProgramsBench {
    private static final String COUNT = "30000";
    private static final String ROUNDS = "3";
    private static final String NANOS = "NANOS ";
    private static final double MICRO = 1000;

    private static final Map<String, Class<?>> SERVED = new LinkedHashMap<>();

    static {
        SERVED.put("Netty echo, 8 B", NettyHello.class);
        SERVED.put("gRPC, unary call", GrpcHello.class);
        SERVED.put("HttpClient and HttpServer, POST", HttpHello.class);
    }

    private ProgramsBench() {}

    /// Runs it.
    ///
    /// @param arguments how many exchanges are timed, how many rounds
    public static void run(String... arguments) throws Exception {
        var count = arguments.length > 0 ? arguments[0] : COUNT;
        int rounds = Integer.parseInt(arguments.length > 1 ? arguments[1] : ROUNDS);
        System.out.printf("%-32s %10s %10s %8s%n", "", "loopback", "over shm", "ratio");
        for (var each : SERVED.entrySet()) {
            double plain = Double.MAX_VALUE;
            double ours = Double.MAX_VALUE;
            for (int round = 0; round < rounds; round++) {
                plain = Math.min(plain, plain(each.getValue(), count));
                ours = Math.min(ours, ours(each.getValue(), count));
            }
            print(each.getKey(), plain, ours);
        }
        if (Postgres.there()) {
            query(count, rounds);
        } else {
            System.out.println("there is no PostgreSQL: './ibidem setup'");
        }
    }

    private static void print(String name, double plain, double ours) {
        System.out.printf(
                "%-32s %7.1f us %7.1f us %8.2f%n", name, plain / MICRO, ours / MICRO, plain / ours);
    }

    private static double plain(Class<?> program, String count) throws Exception {
        try (var programs = new Programs(2)) {
            var port = Programs.said(programs.plain(program, "server", "0"), "listening on ");
            return nanos(programs.plain(program, "client", "127.0.0.1", port, count));
        }
    }

    private static double ours(Class<?> program, String count) throws Exception {
        try (var programs = new Programs(2)) {
            var server = programs.start(0, "shm", program, "server", "0");
            var port = Programs.said(server, "listening on ");
            return nanos(
                    programs.start(1, "shm", program, "client", Programs.address(0), port, count));
        }
    }

    private static double nanos(Process client) throws IOException, InterruptedException {
        var said = Programs.rest(client);
        return Double.parseDouble(said.substring(said.indexOf(NANOS) + NANOS.length()).strip());
    }

    private static void query(String count, int rounds) throws Exception {
        double plain = Double.MAX_VALUE;
        double ours = Double.MAX_VALUE;
        try (var postgres = new Postgres();
                var server = new Programs(2)) {
            int port = Programs.freePort();
            Programs.said(server.run(postgres.command(port)), "ready to accept connections");
            for (int round = 0; round < rounds; round++) {
                try (var programs = new Programs(2)) {
                    var client = programs.plain(JdbcQuery.class, "127.0.0.1", port + "", count);
                    plain = Math.min(plain, nanos(client));
                    ours = Math.min(ours, besideServer(programs, port, count));
                }
            }
        }
        print("JDBC, a row by its key", plain, ours);
    }

    private static double besideServer(Programs programs, int port, String count)
            throws IOException, InterruptedException {
        var folder = Files.createTempDirectory("ibidem-programs");
        var socket = folder.resolve("agent");
        try (var node = programs.join(0);
                var agent = Agent.start(node, "", "auto", socket)) {
            agent.serve(port);
            return nanos(
                    programs.start(
                            1, "auto", JdbcQuery.class, Programs.address(0), port + "", count));
        } finally {
            Files.deleteIfExists(folder);
        }
    }
}
