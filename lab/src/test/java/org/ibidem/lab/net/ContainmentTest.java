package org.ibidem.lab.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.ibidem.Eventually.withinAMinute;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.ibidem.lab.net.plan.Kind;
import org.ibidem.lab.net.plan.Network;
import org.ibidem.lab.net.plan.Site;
import org.ibidem.lab.net.plan.Way;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Nothing of a laboratory gets out, and nothing of it stays.
@Tag("lab")
class ContainmentTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int NOBODY = 65_534;

    private final List<String> before = new ArrayList<>();

    @BeforeEach
    void lookBefore() throws IOException {
        before.addAll(ofThisMachine());
    }

    @AfterEach
    void the_machine_is_as_it_was() throws IOException {
        assertThat(ofThisMachine()).isEqualTo(before);
    }

    /// Its network devices and what is mounted.
    private static List<String> ofThisMachine() throws IOException {
        var found = new TreeSet<String>();
        NetworkInterface.networkInterfaces().forEach(each -> found.add(each.getName()));
        found.addAll(Files.readAllLines(Path.of("/proc/self/mounts")));
        return List.copyOf(found);
    }

    private static Running starter(List<String> prefix, String... options) throws IOException {
        return starter(Path.of(""), prefix, options);
    }

    private static Running starter(Path folder, List<String> prefix, String... options)
            throws IOException {
        var command = new ArrayList<>(prefix);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(List.of(options));
        command.add(Starter.class.getName());
        var process =
                new ProcessBuilder(command)
                        .directory(folder.toAbsolutePath().toFile())
                        .redirectErrorStream(true)
                        .start();
        return new Running("starter", process);
    }

    private static Running starter() throws IOException {
        return starter(List.of(), "-cp", System.getProperty("java.class.path"));
    }

    private static String[] up(Running starter) {
        var said = starter.next(line -> line.matches("(up|refused) .*"), LONG);
        return said.startsWith("up ") ? said.split(" ") : abort(said);
    }

    /// The kernel's numbers of the networks that processes are in.
    private static Set<String> networks(Stream<ProcessHandle> processes) {
        var found = new HashSet<String>();
        processes.forEach(process -> {
            try {
                var file = Path.of("/proc", process.pid() + "", "ns", "net");
                found.add(Files.readSymbolicLink(file).toString());
            } catch (IOException _) {
                // gone, or not ours
            }
        });
        return found;
    }

    private static Stream<ProcessHandle> family(long pid) {
        var first = ProcessHandle.of(pid).orElseThrow();
        return Stream.concat(Stream.of(first), first.descendants());
    }

    @ParameterizedTest
    @ValueSource(strings = {"its starter", "what holds it", "its first process"})
    void nothing_is_left_after_a_kill_of(String whom) throws IOException {
        try (var starter = starter()) {
            long keeper = Long.parseLong(up(starter)[3]);
            var processes = Stream.concat(family(starter.pid()), family(keeper)).toList();
            var networks = networks(processes.stream());
            networks.removeAll(networks(Stream.of(ProcessHandle.current())));
            assertThat(networks).hasSize(7); // its own, two gateways, four hosts
            var victim =
                    switch (whom) {
                        case "its starter" -> ProcessHandle.of(starter.pid());
                        case "what holds it" -> ProcessHandle.of(keeper).orElseThrow().parent();
                        default -> ProcessHandle.of(keeper);
                    };
            victim.orElseThrow().destroyForcibly();
            var others = new ArrayList<>(processes);
            others.removeIf(process -> process.pid() == starter.pid());
            withinAMinute(
                    "all of it has ended",
                    () -> others.stream().noneMatch(ProcessState::isRunning));
            withinAMinute(
                    "nobody is in its networks",
                    () ->
                            networks(ProcessHandle.allProcesses()).stream()
                                    .noneMatch(networks::contains));
        }
    }

    @Test
    void several_are_up_at_once_and_know_nothing_of_each_other() {
        var network = Network.of(Site.of("home", Kind.NAT), Site.of("hub", Kind.OPEN));
        try (var one = up(network);
                var other = up(network)) {
            var ones = new Probes(one);
            var others = new Probes(other);
            ones.get("hub1", "listen 9000");
            one.set("home-hub", "delay=30ms");
            var task = "connect " + one.machine("hub1").address() + " 9000 1000";
            assertThat(ones.ask("home1", task)).isEqualTo("ok connected");
            assertThat(others.ask("home1", task)).isEqualTo("no refused");
            assertThat(other.lines().get(new Way("home", "hub")).line()).isEqualTo(Network.BETWEEN);
        }
    }

    private static Lab up(Network network) {
        try {
            return Lab.up(network);
        } catch (LabRefused e) {
            return abort(e.getMessage());
        }
    }

    @Test
    void a_program_ends_with_whoever_watches_it() {
        try (var lab = up(Network.of(Site.of("hub", Kind.OPEN).hosts(1)))) {
            var host = lab.machine("hub1");
            try (var sleeper = host.start("sleep", "1000")) {
                withinAMinute("it runs", () -> runs(host, "sleep 1000"));
                sleeper.kill();
                assertThat(sleeper.code(LONG)).isEqualTo(128 + 9);
            }
            withinAMinute("it is gone", () -> !runs(host, "sleep 1000"));
            try (var polite =
                    host.start(
                            "sh",
                            "-c",
                            "trap 'echo bye; exit 3' TERM; echo here; while :; do sleep 0.01; done")) {
                polite.said("here", LONG);
                polite.signal("STOP");
                polite.signal("TERM");
                polite.signal("CONT");
                polite.said("bye", LONG);
                assertThat(polite.code(LONG)).isEqualTo(3);
            }
        }
    }

    /// As a failed `mpiexec` leaves its ranks.
    @Test
    void what_a_program_leaves_behind_is_told_of_and_ends_with_the_laboratory() {
        var sleeps = "sleep 1000" + ProcessHandle.current().pid();
        var leaves = "trap '' TERM HUP INT; setsid " + sleeps + " & echo last words; read go";
        List<ProcessHandle> left;
        try (var lab = up(Network.of(Site.of("hub", Kind.OPEN).hosts(1)))) {
            var host = lab.machine("hub1");
            var program = host.start("sh", "-c", leaves);
            program.any("last words"::equals, LONG);
            withinAMinute("what it leaves runs", () -> !named(sleeps).isEmpty());
            program.say("go");
            withinAMinute("it has ended", () -> !program.isAlive());
            left = named(sleeps);
            var failed = catchThrowable(() -> program.code(Duration.ofSeconds(1)));
            if (failed != null) { // the JDK ends the output where nobody reads it at that moment
                assertThat(failed)
                        .isInstanceOf(LabFailed.class)
                        .hasMessageContaining("sh -c " + leaves + " on hub1 has ended (0)")
                        .hasMessageEndingWith("holds its output: last words");
            }
        }
        withinAMinute("it has ended, too", () -> left.stream().noneMatch(ProcessState::isRunning));
    }

    private static List<ProcessHandle> named(String command) {
        return ProcessHandle.allProcesses()
                .filter(each -> each.info().commandLine().orElse("").endsWith(command))
                .toList();
    }

    private static boolean runs(Machine host, String command) {
        var all = "cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\000' ' '";
        return host.run("sh", "-c", all).toString().contains(command);
    }

    @Test
    void an_ordinary_user_has_one_too(@TempDir Path folder) throws Exception {
        assumeTrue(isRoot(), "whoever runs this is an ordinary user: the other tests show it");
        var tun = Files.getAttribute(Path.of("/dev/net/tun"), "unix:mode");
        assumeTrue(
                ((int) tun & 6) == 6,
                "/dev/net/tun is for root alone here, which udev would not have: chmod 666 it");
        // What belongs to root may not be readable for others, nor the folder this runs in.
        var paths = new ArrayList<String>();
        for (var type : List.of(Lab.class, Starter.class)) {
            var classes = Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
            copy(classes, folder.resolve(paths.size() + ""));
            paths.add(folder.resolve(paths.size() + "").toString());
        }
        new ProcessBuilder("chmod", "-R", "a+rX", folder.toString()).start().waitFor();
        var user =
                List.of(
                        "setpriv",
                        "--reuid",
                        NOBODY + "",
                        "--regid",
                        NOBODY + "",
                        "--clear-groups");
        try (var starter = starter(folder, user, "-cp", String.join(":", paths))) {
            var said = up(starter);
            assertThat(said[1]).isEqualTo("USER");
            assertThat(said[2]).as("exact").isEqualTo("false");
            var owner = Files.getAttribute(Path.of("/proc", said[3]), "unix:uid");
            assertThat(owner).isEqualTo(NOBODY);
        }
    }

    private static boolean isRoot() throws IOException {
        return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (var files = Files.walk(from)) {
            for (var file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file)));
            }
        }
    }

    @Test
    void says_why_where_namespaces_are_refused() throws IOException {
        var none = "echo 0 >/proc/sys/user/max_net_namespaces && exec \"$@\"";
        var refused = List.of("unshare", "-U", "-r", "sh", "-c", none, "sh");
        try (var starter = starter(refused, "-cp", System.getProperty("java.class.path"))) {
            assertThat(starter.next(line -> line.matches("(up|refused) .*"), LONG))
                    .startsWith(
                            "refused this machine allows no namespaces with networks of their own")
                    .contains("as USER: unshare: ");
        }
    }

    @Test
    void says_which_programs_are_missing() throws IOException {
        var poor = List.of("env", "PATH=/nowhere");
        try (var starter = starter(poor, "-cp", System.getProperty("java.class.path"))) {
            assertThat(starter.next(line -> line.startsWith("refused"), LONG))
                    .isEqualTo(
                            "refused programs are missing: unshare, nsenter, setpriv, mount, ip, nft;"
                                    + " install util-linux mount iproute2 nftables,"
                                    + " or run ./ibidem setup");
        }
    }
}
