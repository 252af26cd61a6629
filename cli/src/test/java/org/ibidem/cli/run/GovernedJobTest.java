package org.ibidem.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// A pool with an authority, from the command line alone: `ibidem pool create` and `issue`, a hub
/// and two members in processes of their own.
@Tag("lab")
@Isolated("starts processes, of which some are killed")
@Timeout(300)
class GovernedJobTest {
    /// Rank 1 says over what its message went to rank 0.
    private static final String PROGRAM =
            """
            import java.time.Duration;
            import org.ibidem.port.*;
            import org.ibidem.registry.*;

            void main(String[] stack) throws Exception {
                try (var node = Node.join(Join.fromEnvironment())) {
                    var members = node.awaitMembers(2, Duration.ofMinutes(2));
                    var type = PortType.oneToOne().stack(stack[0]);
                    if (node.rank() == 0) {
                        try (var in = ReceivePort.open(node, type, "in");
                                var message = in.receive()) {
                            IO.println(message.readString());
                        }
                    } else {
                        try (var out = SendPort.open(node, type, "out")) {
                            out.connect(members.getFirst().id(), "in");
                            try (var message = out.newMessage()) {
                                message.writeString(
                                        "over " + out.way(out.connections().getFirst()));
                                message.finish();
                            }
                        }
                    }
                }
            }
            """;

    /// Says that it is there, and who has died how.
    private static final String WAITING =
            """
            import java.time.Duration;
            import org.ibidem.registry.*;

            void main(String[] none) throws Exception {
                try (var node = Node.join(Join.fromEnvironment()); var events = node.events()) {
                    node.awaitMembers(2, Duration.ofMinutes(2));
                    IO.println("here");
                    var event = events.next(Duration.ofMinutes(2));
                    while (!(event.orElseThrow() instanceof PoolEvent.Died)) {
                        event = events.next(Duration.ofMinutes(2));
                    }
                    IO.println(event.get());
                }
            }
            """;

    @TempDir Path folder;

    private String file(String name) {
        return folder.resolve(name).toString();
    }

    private List<String> pool(String... words) throws Exception {
        try (var tool = Launched.tool(folder, "pool", words)) {
            var lines = tool.lines();
            assertThat(tool.code()).as(tool.errors()).isZero();
            return lines;
        }
    }

    private void issue(String name, String role) throws Exception {
        var words = List.of("--folder", file("demo"), "--role", role, "--out", file(name + ".pem"));
        var all = new ArrayList<>(List.of("issue", name));
        all.addAll(words);
        assertThat(pool(all.toArray(String[]::new)).getFirst()).contains("ibidem:demo/" + role);
    }

    private Launched member(String hub, String name, int rank, String program, String stack)
            throws Exception {
        return Launched.run(
                folder,
                "--hub",
                hub,
                "--pool",
                "demo",
                "--total",
                "2",
                "--first",
                String.valueOf(rank),
                "--java=-Dibidem.identity=" + file(name + ".pem"),
                "--java=-Dibidem.authority=" + file("demo/authority.pem"),
                file(program),
                stack);
    }

    private String way(String hub, String stack) throws Exception {
        try (var one = member(hub, "one", 0, "Says.java", stack);
                var other = member(hub, "other", 1, "Says.java", stack)) {
            var said = one.line();
            assertThat(one.code()).as(one.errors()).isZero();
            assertThat(other.code()).as(other.errors()).isZero();
            return said;
        }
    }

    @Test
    void members_with_certificates_meet_and_others_are_told_why_not() throws Exception {
        Files.writeString(folder.resolve("Says.java"), PROGRAM);
        assertThat(pool("create", "demo", "--folder", file("demo")).getFirst())
                .isEqualTo("the authority of pool 'demo' is in " + file("demo"));
        issue("hub", "hub");
        issue("one", "node");
        issue("other", "node");
        issue("admin", "admin");
        try (var hub =
                Launched.hub(
                        folder,
                        "--port",
                        "0",
                        "--identity",
                        file("hub.pem"),
                        "--authority",
                        file("demo/authority.pem"))) {
            var at = hub.line().replaceFirst("hub listens on (\\S+).*", "$1");
            assertThat(way(at, "tls > tcp"))
                    .matches("\\[0] over tls > tcp by direct to \\S+, tls 1\\.3.*");
            assertThat(way(at, "multi(tcp)"))
                    .matches("\\[0] over tcp by direct to \\S+, clear: same machine.*");

            try (var outsider =
                    Launched.run(
                            folder, "--hub", at, "--pool", "demo", file("Says.java"), "auto")) {
                assertThat(outsider.code()).isNotZero();
                assertThat(outsider.errors())
                        .contains("pool 'demo' has an authority, and it shows no certificate");
            }
            try (var outsider = Launched.tool(folder, "ping", "0", "--hub", at, "--pool", "demo")) {
                assertThat(outsider.code()).isOne();
                assertThat(outsider.errors()).contains("it shows no certificate");
            }
        }
    }

    @Test
    void who_is_revoked_leaves_its_pool_and_does_not_come_back() throws Exception {
        Files.writeString(folder.resolve("Waits.java"), WAITING);
        pool("create", "demo", "--folder", file("demo"));
        issue("hub", "hub");
        issue("one", "node");
        issue("other", "node");
        issue("admin", "admin");
        pool("revoke", "--folder", file("demo"));
        try (var hub =
                Launched.hub(
                        folder,
                        "--port",
                        "0",
                        "--identity",
                        file("hub.pem"),
                        "--authority",
                        file("demo/authority.pem"),
                        "--revoked",
                        file("demo/revoked.pem"))) {
            var at = hub.line().replaceFirst("hub listens on (\\S+).*", "$1");
            try (var one = member(at, "one", 0, "Waits.java", "");
                    var other = member(at, "other", 1, "Waits.java", "")) {
                here(one, other);
                secrecyIsTold(at);
                revoked(one, other, "other");
            }
            try (var again = member(at, "other", 1, "Waits.java", "")) {
                assertThat(again.code()).isNotZero();
                assertThat(again.errors()).contains("its certificate was revoked at ");
            }
        }
    }

    @Test
    void a_node_gets_in_by_a_code_and_by_no_other() throws Exception {
        Files.writeString(folder.resolve("Says.java"), PROGRAM);
        pool("create", "demo", "--folder", file("demo"));
        issue("hub", "hub");
        issue("one", "node");
        try (var hub =
                Launched.hub(
                        folder,
                        "--port",
                        "0",
                        "--identity",
                        file("hub.pem"),
                        "--authority",
                        file("demo/authority.pem"))) {
            var at = hub.line().replaceFirst("hub listens on (\\S+).*", "$1");
            try (var inviting =
                    Launched.tool(
                            folder,
                            "pool",
                            "invite",
                            "--folder",
                            file("demo"),
                            "--hub",
                            at,
                            "other")) {
                var code = inviting.line().replaceFirst(".* (\\S+)$", "$1");
                inviting.line();
                var wrong = code.substring(0, code.length() - 3) + "000";
                try (var no = joining(at, wrong)) {
                    assertThat(no.code()).isOne();
                    assertThat(no.errors()).contains("attempts left: 2");
                }
                try (var yes = joining(at, code)) {
                    assertThat(yes.line()).startsWith("let in as other, until ");
                    assertThat(yes.code()).as(yes.errors()).isZero();
                }
                assertThat(inviting.line()).isEqualTo("other was admitted: ibidem:demo/node");
                assertThat(inviting.code()).isZero();
            }
            assertThat(way(at, "tls > tcp")).contains("tls 1.3");
        }
    }

    private Launched joining(String hub, String code) throws Exception {
        return joining(hub, "other", "root", code);
    }

    private Launched joining(String hub, String name, String root, String code) throws Exception {
        return Launched.tool(
                folder,
                "pool",
                "join",
                "--hub",
                hub,
                "--identity",
                file(name + ".pem"),
                "--authority",
                file(root + ".pem"),
                code);
    }

    private Launched inviting(String hub, String... words) throws Exception {
        var all = new ArrayList<>(List.of("invite", "--hub", hub));
        all.addAll(List.of(words));
        return Launched.tool(folder, "pool", all.toArray(String[]::new));
    }

    /// The administrator makes a delegate by a code, and goes; the delegate lets in a node by
    /// another. When it is revoked the node is cut off and stays out.
    @Test
    void a_delegate_answers_in_the_administrators_place_until_it_is_revoked() throws Exception {
        Files.writeString(folder.resolve("Waits.java"), WAITING);
        pool("create", "demo", "--folder", file("demo"));
        issue("hub", "hub");
        issue("one", "node");
        pool("revoke", "--folder", file("demo"));
        try (var hub =
                Launched.hub(
                        folder,
                        "--port",
                        "0",
                        "--identity",
                        file("hub.pem"),
                        "--authority",
                        file("demo/authority.pem"),
                        "--revoked",
                        file("demo/revoked.pem"))) {
            var at = hub.line().replaceFirst("hub listens on (\\S+).*", "$1");
            try (var admin = inviting(at, "--folder", file("demo"), "--delegate", "front");
                    var front = joining(at, "front", "fronts", code(admin))) {
                assertThat(front.line()).startsWith("let in as front, until ");
                assertThat(front.line())
                        .isEqualTo("lets nodes into pool 'demo': ibidem:demo/delegate");
                admin.awaitLine("front was admitted: ibidem:demo/delegate");
            }
            var files = List.of("--identity", file("front.pem"), "--authority", file("fronts.pem"));
            try (var front = inviting(at, with(files, "other"));
                    var other = joining(at, code(front))) {
                assertThat(other.line()).startsWith("let in as other, until ");
                front.awaitLine("other was admitted: ibidem:demo/node");
            }
            try (var hubs = inviting(at, with(files, "--role", "hub", "hub2"))) {
                assertThat(hubs.code()).isOne();
                assertThat(hubs.errors()).contains("a delegate admits nodes of pool 'demo' only");
            }
            try (var one = member(at, "one", 0, "Waits.java", "");
                    var other = member(at, "other", 1, "Waits.java", "")) {
                here(one, other);
                revoked(one, other, "front");
            }
            try (var again = member(at, "other", 1, "Waits.java", "")) {
                assertThat(again.code()).isNotZero();
                assertThat(again.errors())
                        .contains("the certificate of the delegate that has let it in was revoked");
            }
        }
    }

    private static String[] with(List<String> files, String... words) {
        var all = new ArrayList<>(files);
        all.addAll(List.of(words));
        return all.toArray(String[]::new);
    }

    private static String code(Launched inviting) throws Exception {
        return inviting.line().replaceFirst(".* (\\S+)$", "$1");
    }

    private static void here(Launched one, Launched other) throws Exception {
        assertThat(one.line()).isEqualTo("[0] here");
        assertThat(other.line()).isEqualTo("[1] here");
    }

    /// Commands that visit the pool say who can read what goes over a link.
    private void secrecyIsTold(String hub) throws Exception {
        assertThat(visit(hub, "explain", "0", "1"))
                .anyMatch(line ->
                        line.matches("tcp +yes .*there is a link \\(clear: same machine\\).*"));
        assertThat(visit(hub, "ping", "1", "--count", "1", "--stack", "tls > tcp"))
                .anyMatch(line ->
                        line.matches("data to .* goes over tls > tcp .*, tls 1.3 aes-256-gcm.*"));
    }

    private List<String> visit(String hub, String subcommand, String... words) throws Exception {
        var certified =
                List.of(
                        "-Dibidem.identity=" + file("admin.pem"),
                        "-Dibidem.authority=" + file("demo/authority.pem"));
        var all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--hub", hub, "--pool", "demo"));
        try (var tool = Launched.tool(certified, folder, subcommand, all.toArray(String[]::new))) {
            var lines = tool.lines();
            assertThat(tool.code()).as(tool.errors()).isZero();
            return lines;
        }
    }

    private void revoked(Launched one, Launched other, String who) throws Exception {
        assertThat(pool("revoke", "--folder", file("demo"), who).getFirst())
                .contains("of revoked certificates: 1, until");
        assertThat(one.line()).contains("its certificate was revoked");
        assertThat(other.line())
                .contains("this node is no longer a member of pool 'demo'")
                .contains("its certificate was revoked");
    }
}
