package org.ibidem.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.ibidem.authority.PoolAuthority;
import org.ibidem.connect.LocalAddresses;
import org.ibidem.registry.Join;
import org.ibidem.registry.JoinRefused;
import org.ibidem.registry.Node;
import org.ibidem.trust.Role;
import org.ibidem.trust.Standing;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// `ibidem hub` as a process of its own.
@Tag("lab")
@Isolated("starts processes, of which some are killed")
@Timeout(60)
class HubCommandTest {
    private static final Pattern LINE = Pattern.compile("hub listens on .*:(\\d+)");

    @TempDir Path folder;

    @Test
    void it_says_where_it_listens_serves_and_ends_when_interrupted() throws Exception {
        try (var hub = Launched.hub(folder, "--port", "0")) {
            var line = LINE.matcher(hub.line());
            assertThat(line.matches()).isTrue();
            var join = Join.pool("swim").hub("localhost:" + line.group(1)).size(2);
            try (var one = Node.join(join);
                    var other = Node.join(join)) {
                assertThat(one.awaitMembers(2, Duration.ofSeconds(10))).hasSize(2);
                assertThat(other.pool()).isEqualTo("swim");
            }
            new ProcessBuilder("kill", "-INT", "" + hub.process().pid()).start().waitFor();
            assertThat(hub.lines()).isEmpty();
            assertThat(hub.code()).isEqualTo(130);
        }
    }

    @Test
    void unless_it_is_open_only_this_machine_may_connect() throws Exception {
        var others = LocalAddresses.usable();
        assumeThat(others).as("an address that is not loopback's").isNotEmpty();
        try (var closed = Launched.hub(folder, "--port", "0");
                var open = Launched.hub(folder, "--port", "0", "--open")) {
            int closedPort = port(closed);
            int openPort = port(open);
            for (var address : others) {
                assertThat(accepts(address, closedPort)).as("%s", address).isFalse();
                assertThat(accepts(address, openPort)).as("%s", address).isTrue();
            }
            assertThat(open.errors())
                    .startsWith(
                            "ibidem hub: WARNING: --open without --authority: any user on any"
                                    + " machine that reaches port "
                                    + openPort
                                    + " may join its pools");
            assertThat(closed.errors()).isEmpty();
            assertThat(accepts(InetAddress.getLoopbackAddress(), closedPort)).isTrue();
        }
    }

    /// A node of a job is found on loopback, unless it is told to be open.
    @Test
    void unless_it_is_open_only_this_machine_may_connect_to_a_node_of_a_job() throws Exception {
        var others = LocalAddresses.usable();
        assumeThat(others).as("an address that is not loopback's").isNotEmpty();
        try (var hub = Launched.hub(folder, "--port", "0")) {
            int port = port(hub);
            withNode(
                    port,
                    "closed",
                    addresses ->
                            assertThat(addresses)
                                    .allMatch(where -> where.getAddress().isLoopbackAddress())
                                    .noneMatch(
                                            where -> accepts(others.getFirst(), where.getPort())));
            withNode(
                    port,
                    "open",
                    addresses ->
                            assertThat(addresses)
                                    .anyMatch(
                                            where -> where.getAddress().equals(others.getFirst())),
                    "--open");
        }
    }

    /// Looks at where a process listens that waits for the rest of its pool.
    private void withNode(
            int hub, String pool, Consumer<List<InetSocketAddress>> check, String... options)
            throws Exception {
        var command = new ArrayList<>(List.of(options));
        command.addAll(List.of("-n", "1", "--hub", "localhost:" + hub, "--pool", pool));
        command.addAll(List.of("--total", "3", "sor", "--size", "64"));
        try (var run = Launched.run(folder, command.toArray(String[]::new));
                var me = Node.join(Join.pool(pool).hub("localhost:" + hub).size(3).rank(2))) {
            var node = me.awaitMembers(2, Duration.ofSeconds(30)).getFirst();
            assertThat(node.rank()).isZero();
            var addresses = me.contact(node.id()).orElseThrow().addresses();
            assertThat(addresses)
                    .isNotEmpty()
                    .allMatch(where -> accepts(where.getAddress(), where.getPort()));
            check.accept(addresses);
            assertThat(run.process().isAlive()).isTrue();
        }
    }

    /// With an authority it is not open to pools that have none, unless it is told to be.
    @Test
    void with_an_authority_it_takes_other_pools_if_told_to_and_warns() throws Exception {
        var month = Duration.ofDays(30);
        var made = PoolAuthority.create(folder.resolve("demo"), "demo", new char[0], month);
        var key = folder.resolve("hub.pem");
        PoolAuthority.write(key, made.issue("hub", new Standing("demo", Role.HUB, ""), month));
        var root = folder.resolve("demo").resolve(PoolAuthority.CERTIFICATE).toString();
        var words = List.of("--port", "0", "--identity", key.toString(), "--authority", root);
        try (var hub = Launched.hub(folder, words.toArray(String[]::new))) {
            var join = Join.pool("other").hub("localhost:" + port(hub));
            assertThatThrownBy(() -> Node.join(join)).isInstanceOf(JoinRefused.NoSuchPool.class);
        }
        var more = new ArrayList<>(words);
        more.addAll(List.of("--other-pools", "--open"));
        try (var hub = Launched.hub(folder, more.toArray(String[]::new))) {
            int port = port(hub);
            Node.join(Join.pool("other").hub("localhost:" + port)).close();
            assertThat(hub.errors())
                    .startsWith(
                            "ibidem hub: WARNING: --open with --other-pools: any user on any"
                                    + " machine that reaches port "
                                    + port
                                    + " may join pools that have no authority; ibidem pool create"
                                    + " makes one");
        }
    }

    private static int port(Launched hub) throws Exception {
        var line = LINE.matcher(hub.line());
        assertThat(line.matches()).isTrue();
        return Integer.parseInt(line.group(1));
    }

    private static boolean accepts(InetAddress address, int port) {
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(address, port), 5_000);
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    @Test
    void a_port_that_is_taken_is_named() throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var hub = Launched.hub(folder, "--port", "" + taken.getLocalPort())) {
            assertThat(hub.lines()).isEmpty();
            assertThat(hub.code()).isEqualTo(1);
            assertThat(hub.errors())
                    .contains("ibidem hub: ", "" + taken.getLocalPort())
                    .doesNotContain("\tat ");
        }
    }

    @Test
    void killed_and_started_again_with_its_state_it_is_the_same_hub() throws Exception {
        var state = folder.resolve("state").toString();
        String port;
        try (var first = Launched.hub(folder, "--port", "0", "--state", state)) {
            var line = LINE.matcher(first.line());
            assertThat(line.matches()).isTrue();
            port = line.group(1);
            assertThat(first.line()).isEqualTo("state in " + state + ": none yet");
            try (var second = Launched.hub(folder, "--port", "0", "--state", state)) {
                assertThat(second.lines()).isEmpty();
                assertThat(second.code()).isEqualTo(1);
                assertThat(second.errors())
                        .contains("ibidem hub: ", state, "process " + first.process().pid())
                        .doesNotContain("\tat ");
            }
            try (var node = Node.join(Join.pool("swim").hub("localhost:" + port))) {
                assertThat(node.sequences().next("row")).isZero();
                first.process().destroyForcibly().waitFor();
                try (var again = Launched.hub(folder, "--port", port, "--state", state)) {
                    again.line();
                    assertThat(again.line())
                            .isEqualTo("state in " + state + ": 1 pools, 1 members");
                    assertThat(node.sequences().next("row")).isEqualTo(1);
                }
            }
        }
    }

    @Test
    void a_folder_that_cannot_be_is_named() throws Exception {
        var state = folder.resolve("no/such/folder").toString();
        try (var hub = Launched.hub(folder, "--port", "0", "--state", state)) {
            assertThat(hub.lines()).isEmpty();
            assertThat(hub.code()).isEqualTo(1);
            assertThat(hub.errors())
                    .contains("ibidem hub: ", "there is no folder", "make that first")
                    .doesNotContain("\tat ");
        }
    }

    @Test
    void a_port_that_is_none_is_a_misuse() throws Exception {
        try (var hub = Launched.hub(folder, "--port", "70000")) {
            assertThat(hub.lines()).isEmpty();
            assertThat(hub.code()).isEqualTo(2);
            assertThat(hub.errors()).contains("--port is 0 to 65535");
        }
    }
}
