package org.ibidem.lab.net.wide;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.Running;
import org.ibidem.lab.net.junit.Laboratory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Middleware from the distribution, which knows nothing of Ibidem, wrapped at both ends: rank 0 at
/// a site behind a firewall, rank 1 at one behind a symmetric NAT. All of it goes by the one agent
/// of its machine, compressed and encrypted. What has to be told to each stands in
/// docs/guide/wrap.md; docs/programs.md has their list.
@Laboratory(Town.Sites.class)
@Timeout(240)
class MiddlewareSitesTest {
    private static final int HUB = 8893;
    private static final String SSH = "2222";
    private static final Duration COMPILES = Duration.ofMinutes(3);
    private static final List<String> HOSTS = List.of("office1", "hotel1");
    private static final List<String> NAMES = List.of("0.parallel.ibidem", "1.parallel.ibidem");
    private static final List<String> ADDRESSES = List.of("127.80.0.0", "127.80.0.1");

    @TempDir private static Path folder;
    private static Running sshd;
    private static Path ssh;

    @BeforeAll
    static void begin(Lab lab) throws IOException {
        Command.require("cc", "ssh", "sshd", "ssh-keygen");
        Command.hub(lab, HUB);
        var agents = HOSTS.stream().map(host -> agent(lab, host)).toList();
        agents.forEach(agent -> agent.any(line -> line.startsWith("agent of rank "), Town.LONG));
        for (int rank = 0; rank < HOSTS.size(); rank++) {
            haveAddress(lab, rank);
        }
        daemon(lab);
    }

    private static Running agent(Lab lab, String host) {
        var all = new ArrayList<>(List.of("agent", "--pool", "parallel", "--open"));
        all.addAll(List.of("--hub", lab.machine("hub1").address() + ":" + HUB));
        all.addAll(List.of("--rank", HOSTS.indexOf(host) + "", "--over", "compress > tls > tcp"));
        all.add(socket(host));
        return Command.start(lab, host, all.toArray(String[]::new));
    }

    private static String socket(String host) {
        return folder.resolve(host).resolve("agent").toString();
    }

    /// Both kinds of MPI look for an interface that has the address they shall be known under.
    private static void haveAddress(Lab lab, int rank) {
        var script =
                "ip link add ranks type veth peer name ranks2 && ip link set ranks2 up && ip address add %s/32 dev ranks && ip link set ranks up && mount -t sysfs sysfs /sys"
                        .formatted(ADDRESSES.get(rank));
        lab.machine(HOSTS.get(rank)).run("sh", "-c", script);
    }

    /// By which programs on the first host start others on the second.
    private static void daemon(Lab lab) throws IOException {
        var key = folder.resolve("key").toString();
        lab.machine("hotel1").run("mkdir", "-p", "/run/sshd");
        lab.machine("hotel1").run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key);
        var all = new ArrayList<>(List.of("/usr/sbin/sshd", "-D", "-e", "-f", "none"));
        all.addAll(List.of("-p", SSH, "-h", key, "-o", "AuthorizedKeysFile=" + key + ".pub"));
        all.addAll(List.of("-o", "StrictModes=no", "-o", "PermitRootLogin=yes"));
        all.addAll(List.of("-o", "SetEnv=" + String.join(" ", pvm("hotel1"))));
        sshd = wrap(lab, "hotel1", all);
        sshd.any(line -> line.startsWith("Server listening"), Town.LONG);
        ssh = folder.resolve("ssh");
        Files.writeString(
                ssh,
                """
                #!/bin/sh
                exec ssh -F none -p %s -i %s -o BatchMode=yes -o StrictHostKeyChecking=no \
                -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR "$@"
                """
                        .formatted(SSH, key));
        Files.setPosixFilePermissions(ssh, PosixFilePermissions.fromString("rwx------"));
    }

    @AfterAll
    static void end(Lab lab) {
        if (sshd != null) {
            Command.end(sshd);
            for (var host : HOSTS) {
                lab.machine(host).run("sh", "-c", "umount /sys && ip link del ranks");
            }
        }
    }

    private static Running wrap(Lab lab, String host, List<String> program) {
        var all = new ArrayList<>(List.of("wrap", "--agent", socket(host), "--"));
        all.addAll(program);
        return Command.start(lab, host, all.toArray(String[]::new));
    }

    /// Runs a program to its end.
    ///
    /// @return what it has printed
    private static List<String> run(Lab lab, String host, List<String> program) {
        var running = wrap(lab, host, program);
        assertThat(running.code(Town.LONG)).as(() -> "" + running.lines()).isZero();
        return running.lines();
    }

    private static String source(String name) throws IOException {
        var file = folder.resolve(name);
        try (InputStream in = MiddlewareSitesTest.class.getResourceAsStream(name)) {
            Files.write(file, Objects.requireNonNull(in, name).readAllBytes());
        }
        return file.toString();
    }

    /// Runs a compiler in the folder.
    private static void compile(Lab lab, String... command) {
        var all = new ArrayList<>(List.of("env", "-C", folder.toString()));
        all.addAll(Arrays.asList(command));
        var compiler = lab.machine("office1").start(all.toArray(String[]::new));
        assertThat(compiler.code(COMPILES)).as(() -> "" + compiler.lines()).isZero();
    }

    private static String ranks(Lab lab, String compiler) throws IOException {
        var program = folder.resolve("ranks-" + compiler).toString();
        compile(lab, compiler, "-O2", "-o", program, source("ranks.c"));
        return program;
    }

    private static void areRight(List<String> said) {
        assertThat(said)
                .contains("all 2 ranks are right")
                .contains("rank 0 peer 127.80.0.1", "rank 1 peer 127.80.0.0");
    }

    @Test
    void mpich(Lab lab) throws Exception {
        Command.require("mpicc.mpich", "mpiexec.mpich");
        var program = ranks(lab, "mpicc.mpich");
        var all = new ArrayList<>(List.of("mpiexec.mpich", "-launcher", "ssh"));
        all.addAll(List.of("-launcher-exec", ssh.toString(), "-localhost", NAMES.getFirst()));
        all.addAll(List.of("-hosts", HOSTS.getFirst() + "," + NAMES.getLast(), "-ppn", "1"));
        all.addAll(List.of("-n", "2"));
        all.addAll(List.of("-genv", "UCX_TLS", "tcp", "-genv", "UCX_NET_DEVICES", "ranks"));
        all.add(program);
        areRight(run(lab, "office1", all));
    }

    @Test
    @Tag("full")
    void open_mpi(Lab lab) throws Exception {
        Command.require("mpicc.openmpi", "mpirun.openmpi");
        var program = ranks(lab, "mpicc.openmpi");
        var all = new ArrayList<>(List.of("mpirun.openmpi", "--allow-run-as-root"));
        all.addAll(List.of("--mca", "plm_rsh_agent", ssh.toString(), "--mca", "pml", "ob1"));
        all.addAll(List.of("--mca", "btl", "tcp,self", "--mca", "btl_tcp_if_include", "ranks"));
        all.addAll(List.of("--mca", "oob_tcp_if_include", "ranks", "--mca", "osc", "pt2pt"));
        all.addAll(List.of("-H", String.join(",", ADDRESSES), "-np", "2", program));
        areRight(run(lab, "office1", all));
    }

    /// What PVM finds in its environment: files of its own for each host, as these share their
    /// disk.
    private static List<String> pvm(String host) {
        return List.of(
                "PVM_ROOT=/usr/lib/pvm3", "PVM_ALLOW_ROOT=1", "PVM_TMP=" + folder.resolve(host));
    }

    @Test
    void pvm_by_its_daemons_and_directly(Lab lab) throws Exception {
        Command.require("/usr/lib/pvm3/lib/pvmd", "/usr/include/pvm3.h");
        var program = folder.resolve("master").toString();
        compile(lab, "cc", "-O2", "-o", program, source("master.c"), "-lpvm3");
        var hosts = Files.write(folder.resolve("pvm.hosts"), NAMES);
        var all = new ArrayList<>(List.of("env", "PVM_RSH=" + ssh));
        all.addAll(pvm("office1"));
        all.addAll(List.of(program, hosts.toString()));
        all.addAll(NAMES);
        assertThat(run(lab, "office1", all)) // the library complains while the daemon adds the host
                .contains(
                        "routed: a task on hotel1, 0 of 100000 wrong, its peer nobody",
                        "direct: a task on hotel1, 0 of 100000 wrong, its peer 127.80.0.0");
    }

    @Test
    @Tag("full")
    void omniorb(Lab lab) throws Exception {
        Command.require("omniidl", "c++", "/usr/include/omniORB4/CORBA.h");
        compile(lab, "omniidl", "-bcxx", source("echo.idl"));
        var program = folder.resolve("orb").toString();
        compile(
                lab,
                "c++",
                "-O1",
                "-w",
                "-I.",
                "-o",
                program,
                source("orb.cc"),
                "echoSK.cc",
                "-lomniORB4",
                "-lomnithread");
        var serve = new ArrayList<>(List.of(program, "serve"));
        serve.addAll(List.of("-ORBserverTransportRule", "127.80.0.1/255.255.255.255 tcp"));
        serve.addAll(orb(0, "8701"));
        var server = wrap(lab, "office1", serve);
        try {
            server.any("ready"::equals, Town.LONG);
            var uri = "corbaloc::%s:8701/Echo".formatted(NAMES.getFirst());
            var call = new ArrayList<>(List.of(program, uri));
            call.addAll(orb(1, "8702"));
            assertThat(run(lab, "hotel1", call)).containsExactly("hello, 0 wrong, called back");
        } finally {
            Command.end(server);
        }
    }

    /// Where it listens, and what it tells others of that.
    private static List<String> orb(int rank, String port) {
        return List.of(
                "-ORBendPoint",
                "giop:tcp::" + port,
                "-ORBendPointPublish",
                "giop:tcp:%s:%s".formatted(NAMES.get(rank), port),
                "-ORBgiopMaxMsgSize",
                "20000000");
    }

    @Test
    @Tag("full")
    void ice(Lab lab) throws Exception {
        Command.require("/usr/bin/python3", "/usr/lib/python3/dist-packages/Ice/__init__.py");
        var script = List.of("/usr/bin/python3", source("echo.py"), source("Echo.ice"));
        var serve = new ArrayList<>(script);
        serve.addAll(List.of(NAMES.getFirst(), "8711"));
        var server = wrap(lab, "office1", serve);
        try {
            server.any("ready"::equals, Town.LONG);
            var call = new ArrayList<>(script);
            call.addAll(List.of(NAMES.getLast(), "8712", NAMES.getFirst(), "8711"));
            assertThat(run(lab, "hotel1", call)).containsExactly("127.80.0.1 right called back");
        } finally {
            Command.end(server);
        }
    }

    @Test
    @Tag("full")
    void gsoap(Lab lab) throws Exception {
        Command.require("soapcpp2", "/usr/include/stdsoap2.h");
        compile(lab, "soapcpp2", "-cLx", source("calc.h"));
        var program = folder.resolve("calc").toString();
        compile(
                lab,
                "cc",
                "-O1",
                "-w",
                "-DWITH_IPV6",
                "-DWITH_DOM",
                "-I.",
                "-o",
                program,
                source("calc.c"),
                "soapC.c",
                "soapClient.c",
                "soapServer.c",
                "-lgsoap");
        var server = wrap(lab, "office1", List.of(program, "serve", "8721"));
        try {
            server.any("ready"::equals, Town.LONG);
            var url = "http://%s:8721/".formatted(NAMES.getFirst());
            assertThat(run(lab, "hotel1", List.of(program, url)))
                    .containsExactly("42.5 0.125 reversed 127.80.0.1", "no number");
        } finally {
            Command.end(server);
        }
    }
}
