package org.ibidem.lab.net.wide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.Running;
import org.ibidem.lab.net.junit.Laboratory;
import org.ibidem.lab.programs.GrpcHello;
import org.ibidem.lab.programs.HttpHello;
import org.ibidem.lab.programs.JdbcQuery;
import org.ibidem.lab.programs.Kafka;
import org.ibidem.lab.programs.NettyHello;
import org.ibidem.lab.programs.NettyHttp;
import org.ibidem.lab.programs.Postgres;
import org.ibidem.lab.programs.Programs;
import org.ibidem.personality.sockets.Main;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A Java program that knows nothing of Ibidem: the server behind a firewall, the client behind a
/// symmetric NAT; compressed and encrypted.
@Laboratory(Town.Sites.class)
@Timeout(240)
class JavaProgramsSitesTest {
    private static final int HUB = 8897;
    private static final String STACK = "compress > tls > tcp";
    private static final String SERVER = "office1";
    private static final String CLIENT = "hotel1";
    private static final String PORT = "7100";

    @BeforeAll
    static void begin(Lab lab) {
        Command.require();
        Command.hub(lab, HUB);
    }

    private static String hub(Lab lab) {
        return lab.machine("hub1").address() + ":" + HUB;
    }

    private static Running start(
            Lab lab, String host, int rank, Class<?> program, String... arguments) {
        var pool = program.getSimpleName();
        var options = new ArrayList<>(Programs.options(hub(lab), pool, rank, 2, STACK));
        if (program == JdbcQuery.class) { // the agent's pool has no size
            options.removeIf(option -> option.startsWith("-Dibidem.size="));
        }
        options.addAll(open(host));
        var all = new ArrayList<>(List.of(program.getName()));
        all.addAll(List.of(arguments));
        return lab.machine(host).java(options, Main.class, all.toArray(String[]::new));
    }

    private static void ask(Lab lab, Class<?> program, String... arguments) {
        var client = start(lab, CLIENT, 1, program, arguments);
        assertThat(client.code(Town.LONG)).as("%s", client.lines()).isZero();
        assertThat(client.lines()).contains("checked");
    }

    /// A server in Java takes what the client's rules choose.
    private static void between(Lab lab, Class<?> program) {
        try (var server = start(lab, SERVER, 0, program, "server", PORT)) {
            server.said("listening", Town.LONG);
            ask(lab, program, "client", Programs.address(0), PORT, "20");
        }
    }

    @Test
    void grpc_calls_and_streams(Lab lab) {
        between(lab, GrpcHello.class);
    }

    @Test
    @Tag("full")
    void http_of_the_jdk(Lab lab) {
        between(lab, HttpHello.class);
    }

    @Test
    void http_of_netty(Lab lab) {
        between(lab, NettyHttp.class);
    }

    @Test
    @Tag("full")
    void an_echo_of_netty(Lab lab) {
        between(lab, NettyHello.class);
    }

    @Test
    @Tag("full")
    void kafka(Lab lab, @TempDir Path folder) throws Exception {
        var kafka = Kafka.find(folder);
        var address = Programs.address(0);
        int port = Integer.parseInt(PORT);
        var broker = kafka.broker(address, port);
        try (var _ = beside(lab, SERVER, 0, kafka.classes(), broker);
                var client =
                        beside(
                                lab,
                                CLIENT,
                                1,
                                kafka.clientClasses(),
                                Kafka.client(address, port))) {
            assertThat(client.code(Town.LONG.multipliedBy(2))).as("%s", client.lines()).isZero();
            assertThat(client.lines()).contains("made", "checked");
        }
    }

    /// A program with a class path of its own.
    private static Running beside(
            Lab lab, String host, int rank, String classes, List<String> program) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"));
        command.addAll(List.of("-cp", Programs.beside(classes)));
        command.addAll(Programs.options(hub(lab), "kafka", rank, 2, STACK));
        command.addAll(open(host));
        command.add(Main.class.getName());
        command.addAll(program);
        return lab.machine(host).start(command.toArray(String[]::new));
    }

    private static List<String> open(String host) {
        return List.of("-Dibidem.open=true", "-Dibidem.location=" + host + "@" + host);
    }

    /// An agent beside the server takes what comes for its port.
    @Test
    @Tag("turn2")
    void jdbc_and_postgresql(Lab lab, @TempDir Path folder) throws Exception {
        assumeTrue(Postgres.there(), "there is no PostgreSQL: './ibidem setup'");
        try (var postgres = new Postgres()) {
            var command = postgres.command(Integer.parseInt(PORT)).toArray(String[]::new);
            try (var server = lab.machine(SERVER).start(command);
                    var agent = agent(lab, folder)) {
                server.any(line -> line.contains("ready to accept connections"), Town.LONG);
                agent.any(line -> line.startsWith("agent of rank "), Town.LONG);
                ask(lab, JdbcQuery.class, Programs.address(0), PORT, "20");
            }
        }
    }

    private static Running agent(Lab lab, Path folder) {
        var options = new ArrayList<>(List.of("agent", "--pool", "JdbcQuery", "--hub", hub(lab)));
        options.addAll(List.of("--open", "--rank", "0", "--over", STACK));
        options.addAll(List.of("--serve", PORT, folder.resolve("agent").toString()));
        return Command.start(lab, SERVER, options.toArray(String[]::new));
    }
}
