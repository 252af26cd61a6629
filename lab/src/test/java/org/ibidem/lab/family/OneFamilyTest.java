package org.ibidem.lab.family;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ibidem.lab.net.ClassCache;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Where a machine has addresses of one family alone, or a JVM is told to use but one, all works
/// that does elsewhere, over TCP and UDP; and what cannot work says why.
@Tag("lab")
@Timeout(180)
class OneFamilyTest {
    private static final int LIMIT_SECONDS = 120;
    private static final String SIX = "2001:db8::9";
    private static final String IPV4_ONLY = "-Djava.net.preferIPv4Stack=true";

    /// The suites that open sockets themselves, or have everything opened: drivers, ways to
    /// connect, the registry, what a hub relays, the library of C.
    private static final List<String> MAIN =
            List.of(
                    "lab.contract.LinkContractTest",
                    "lab.contract.EndsContractTest",
                    "link.udp.UdpTest",
                    "connect.direct.DirectTest",
                    "connect.reverse.ReverseTest",
                    "connect.splice.SpliceTest",
                    "accept.ListenerTest",
                    "accept.ObservationTest",
                    "control.PeersTest",
                    "channel.DataLinkTest",
                    "connect.socks.SocksTest#asks_a_socks_proxy_in_so_many_bytes",
                    "connect.socks.SocksTest#asks_for_addresses_of_both_families_and_for_names",
                    "connect.socks.SocksTest#asks_an_http_proxy_in_so_many_words",
                    "hub.HubTest#nodes_that_join_see_each_other_with_ranks_and_locations",
                    "hub.HubTest#the_second_hub_serves_when_the_first_does_not_answer",
                    "hub.HubTest#its_second_port_is_the_one_that_was_chosen_or_it_says_why_not",
                    "hub.HubTest#a_reset_and_a_refused_connection_prove_a_death",
                    "hub.relay.RelayUseTest",
                    "wrap.LibraryTest#a_program_in_c_and_one_in_java_exchange_messages");

    /// Each driver with sockets.
    private static final String STACKS = "-Dtests.stacks=tcp|reliable > udp";

    private static List<String> java(List<String> options, Class<?> main, String... arguments) {
        var command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UseSerialGC",
                                "--enable-native-access=ALL-UNNAMED"));
        command.addAll(options);
        command.add(main.getName());
        command.addAll(List.of(arguments));
        return command;
    }

    /// What it prints, its errors too.
    private static List<String> run(List<String> command) throws Exception {
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            var end = Thread.ofVirtual().start(() -> endLate(process));
            var said = process.inputReader(StandardCharsets.UTF_8).lines().toList();
            end.interrupt();
            return said;
        } finally {
            end(process);
        }
    }

    private static void endLate(Process process) {
        try {
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                end(process);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static void end(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    /// The tests of other modules, as they were compiled.
    private static List<String> withTests(OneFamily machine) {
        var path = new ArrayList<>(List.of(ClassCache.path()));
        for (var folder :
                List.of(
                        "fixtures/target/classes",
                        "transport/target/test-classes",
                        "node/target/test-classes",
                        "core/target/test-classes",
                        "hub/target/test-classes",
                        "wrap/target/test-classes")) {
            var classes = Path.of("..", folder).toAbsolutePath();
            assumeTrue(Files.isDirectory(classes), classes + " is not compiled");
            path.add(classes.toString());
        }
        // Where the suites themselves ask the JDK for the loopback address.
        var six = "-Djava.net.preferIPv6Addresses=" + (machine == OneFamily.IPV6);
        return List.of(six, STACKS, "-cp", String.join(File.pathSeparator, path));
    }

    @ParameterizedTest
    @EnumSource
    void the_main_suites_pass(OneFamily machine) throws Exception {
        var suites = new ArrayList<>(MAIN);
        if (machine == OneFamily.IPV4) { // ranks have addresses of it
            suites.add("wrap.WrapTest#nodes_have_names");
        }
        var names = suites.stream().map(name -> "org.ibidem." + name).toArray(String[]::new);
        var said = run(machine.command(java(withTests(machine), Suites.class, names)));
        assertThat(said).noneMatch(line -> line.startsWith("FAILED "));
        for (var each : suites) {
            var name = each.substring(each.lastIndexOf('.') + 1);
            assertThat(said)
                    .as("what was said of %s: %s", name, said)
                    .anyMatch(line -> line.matches("SUCCESSFUL " + name + "(#.*)?"));
        }
    }

    /// As a program is started in a container.
    @ParameterizedTest
    @EnumSource
    void the_command_runs_a_job(OneFamily machine) throws Exception {
        var command = Path.of("..", "ibidem").toAbsolutePath().normalize();
        assumeTrue(
                Files.exists(command.resolveSibling("dist/cli/stamp")),
                "the command is not built: './ibidem test' builds it, or any './ibidem'");
        var job = new ArrayList<>(List.of("env", "IBIDEM_BUILT=1", command.toString()));
        job.addAll(List.of("run", "-n", "2", "sor", "--size", "16", "--iterations", "5"));
        assertThat(run(machine.command(job)))
                .anyMatch(line -> line.contains("equal to the sequential solver's field"));
    }

    /// The command that tries the ways to an address.
    ///
    /// @param nobody an address at which nobody is
    private static List<String> probe(String nobody, List<String> options) {
        var all = new ArrayList<>(options);
        all.addAll(ClassCache.arguments());
        return java(all, OneFamilyProbe.class, nobody);
    }

    @Test
    void an_address_of_ipv6_is_passed_over_where_there_is_none() throws Exception {
        var said = run(OneFamily.IPV4.command(probe(SIX, List.of())));
        assertPassedOver(said, "no interface had an IPv6 address when it was started: set");
    }

    @Test
    void an_address_of_ipv6_is_passed_over_by_a_jvm_that_is_to_use_ipv4_alone() throws Exception {
        var said = run(probe(SIX, List.of(IPV4_ONLY)));
        assertPassedOver(said, "it was started with " + IPV4_ONLY + ": start it without");
    }

    private static void assertPassedOver(List<String> said, String cause) {
        var why = "this JVM has no IPv6, because " + cause;
        assertThat(said)
                .contains("loopbacks: [/127.0.0.1]", "wrap: started")
                .anyMatch(line -> line.matches("a hub: joined by rank 0 at \\[/127.0.0.1:\\d+]"));
        for (var way : List.of("reach: No[why=it has IPv6", "connect: ", "probe: ", "udp: ")) {
            assertThat(said).anyMatch(line -> line.startsWith(way) && line.contains(why));
        }
        assertThat(said)
                .anyMatch(line -> line.startsWith("join: failed: ") && line.contains(why))
                .noneMatch(line -> line.contains("ddress type"));
    }

    @Test
    void where_there_is_no_ipv4_what_needs_it_says_so() throws Exception {
        assertThat(run(OneFamily.IPV6.command(probe("192.0.2.9", List.of()))))
                .contains("loopbacks: [/0:0:0:0:0:0:0:1]")
                .anyMatch(line -> line.matches("a hub: joined by rank 0 at .*:1]:\\d+]"))
                .anyMatch(line ->
                        line.startsWith("connect: failed: ")
                                && line.contains(
                                        "192.0.2.9:9 failed: Network is unreachable, because this"
                                                + " machine has no IPv4 address: give it one, or"))
                .anyMatch(line ->
                        line.startsWith("wrap: failed: ")
                                && line.contains("'ip address add 127.0.0.1/8 dev lo'"));
    }
}
