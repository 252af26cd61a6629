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

/// Middleware from the distribution, which knows nothing of Ibidem, between two [End]s. Servers,
/// and what starts other processes, run at the first; those are started by ssh at the second. What
/// has to be told to each stands in docs/guide/wrap.md; docs/programs.md has their list.
final class Middleware implements AutoCloseable {
    private static final Duration COMPILES = Duration.ofMinutes(3);
    private static final String READY = "ready";

    private final Lab lab;
    private final Path folder;
    private final End first;
    private final End second;
    private final Running sshd;
    private final Path ssh;

    /// @param folder for what is compiled, which several may share
    /// @param port of the sshd at the second end
    Middleware(Lab lab, Path folder, End first, End second, String port) throws IOException {
        this.lab = lab;
        this.folder = folder;
        this.first = first;
        this.second = second;
        Command.require("cc", "ssh", "sshd", "ssh-keygen");
        var key = folder.resolve("key");
        var there = lab.machine(second.host());
        there.run("mkdir", "-p", "/run/sshd");
        if (!Files.exists(key)) {
            there.run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key.toString());
        }
        sshd = second.start(lab, daemon(port, key));
        sshd.any(line -> line.startsWith("Server listening"), Town.LONG);
        ssh = folder.resolve("ssh-" + port);
        Files.writeString(
                ssh,
                """
                #!/bin/sh
                exec ssh -F none -p %s -i %s -o BatchMode=yes -o StrictHostKeyChecking=no \
                -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR "$@"
                """
                        .formatted(port, key));
        Files.setPosixFilePermissions(ssh, PosixFilePermissions.fromString("rwx------"));
    }

    /// What sshd starts has none of its environment; the preloaded library needs its own.
    private List<String> daemon(String port, Path key) {
        var told = String.join(" ", pvm(second));
        var preloaded = " LD_PRELOAD=$LD_PRELOAD IBIDEM_WRAP=$IBIDEM_WRAP";
        var command =
                "exec /usr/sbin/sshd -D -e -f none -p %s -h %s -o AuthorizedKeysFile=%s.pub -o StrictModes=no -o PermitRootLogin=yes -o \"SetEnv=%s%s\""
                        .formatted(port, key, key, told, second.preloads() ? preloaded : "");
        return List.of("sh", "-c", command);
    }

    @Override
    public void close() {
        second.end(sshd);
    }

    /// Runs a program to its end.
    ///
    /// @return what it has printed
    private List<String> run(End where, List<String> program) {
        var running = where.start(lab, program);
        assertThat(running.code(Town.LONG)).as(() -> "" + running.lines()).isZero();
        return running.lines();
    }

    private String source(String name) throws IOException {
        var file = folder.resolve(name);
        try (InputStream in = Middleware.class.getResourceAsStream(name)) {
            Files.write(file, Objects.requireNonNull(in, name).readAllBytes());
        }
        return file.toString();
    }

    /// Runs a compiler in the folder.
    private void compile(String... command) {
        var all = new ArrayList<>(List.of("env", "-C", folder.toString()));
        all.addAll(Arrays.asList(command));
        var compiler = lab.machine(first.host()).start(all.toArray(String[]::new));
        assertThat(compiler.code(COMPILES)).as(() -> "" + compiler.lines()).isZero();
    }

    private interface Making {
        void make(String program) throws IOException;
    }

    /// A program of the folder, which is made when it is not there.
    private String made(String name, Making making) throws IOException {
        var program = folder.resolve(name);
        if (!Files.exists(program)) {
            making.make(program.toString());
        }
        return program.toString();
    }

    private String ranks(String compiler) throws IOException {
        source("meet.h");
        return made(
                "ranks-" + compiler, to -> compile(compiler, "-O2", "-o", to, source("ranks.c")));
    }

    private void areRight(List<String> said) {
        assertThat(said)
                .contains("all 2 ranks are right")
                .contains("rank 0 peer " + second.address(), "rank 1 peer " + first.address());
    }

    /// Begins programs of MPICH, one at each end.
    private List<String> mpiexec(String... program) {
        var all = new ArrayList<>(List.of("mpiexec.mpich", "-launcher", "ssh"));
        all.addAll(List.of("-launcher-exec", ssh.toString(), "-localhost", first.name()));
        all.addAll(List.of("-hosts", first.host() + "," + second.name(), "-ppn", "1", "-n", "2"));
        all.addAll(List.of("-genv", "UCX_TLS", "tcp"));
        if (first.device().equals(second.device())) {
            all.addAll(List.of("-genv", "UCX_NET_DEVICES", first.device()));
        }
        if (second.preloads()) {
            // Else it is told of the first one's supervisor, whom its library does not find.
            all.add("-genvnone");
        }
        all.addAll(List.of(program));
        return all;
    }

    void mpich() throws IOException {
        Command.require("mpicc.mpich", "mpiexec.mpich");
        areRight(run(first, mpiexec(ranks("mpicc.mpich"))));
    }

    void openMpi() throws IOException {
        Command.require("mpicc.openmpi", "mpirun.openmpi");
        var program = ranks("mpicc.openmpi");
        var all = new ArrayList<>(List.of("mpirun.openmpi", "--allow-run-as-root"));
        all.addAll(List.of("--mca", "plm_rsh_agent", ssh.toString(), "--mca", "pml", "ob1"));
        all.addAll(List.of("--mca", "btl", "tcp,self", "--mca", "osc", "pt2pt"));
        if (first.device().equals(second.device())) {
            all.addAll(List.of("--mca", "btl_tcp_if_include", first.device()));
            all.addAll(List.of("--mca", "oob_tcp_if_include", first.device()));
        }
        all.addAll(List.of("-H", first.address() + "," + second.address(), "-np", "2", program));
        areRight(run(first, all));
    }

    /// What PVM finds in its environment: files of its own for each host, as these share their
    /// disk.
    private List<String> pvm(End end) {
        var own = folder.resolve("pvm-" + end.host() + (end.wrap().isEmpty() ? "" : "-wrapped"));
        own.toFile().mkdir();
        return List.of("PVM_ROOT=/usr/lib/pvm3", "PVM_ALLOW_ROOT=1", "PVM_TMP=" + own);
    }

    void pvm() throws IOException {
        Command.require("/usr/lib/pvm3/lib/pvmd", "/usr/include/pvm3.h");
        var program =
                made("master", to -> compile("cc", "-O2", "-o", to, source("master.c"), "-lpvm3"));
        var names = List.of(first.name(), second.name());
        var hosts = Files.write(folder.resolve("pvm.hosts"), names);
        var all = new ArrayList<>(List.of("env", "PVM_RSH=" + ssh));
        all.addAll(pvm(first));
        all.addAll(List.of(program, hosts.toString()));
        all.addAll(names);
        assertThat(run(first, all)) // the library complains while the daemon adds the host
                .contains(
                        "routed: a task on %s, 0 of 100000 wrong, its peer nobody"
                                .formatted(second.host()),
                        "direct: a task on %s, 0 of 100000 wrong, its peer %s"
                                .formatted(second.host(), first.address()));
    }

    private void stubs() throws IOException {
        Command.require("omniidl", "c++", "/usr/include/omniORB4/CORBA.h");
        compile("omniidl", "-bcxx", source("echo.idl"));
    }

    void omniorb() throws IOException {
        var program = made("orb", this::orb);
        var serve = new ArrayList<>(List.of(program, "serve"));
        var client = second.address() + "/255.255.255.255 tcp";
        serve.addAll(List.of("-ORBserverTransportRule", client));
        serve.addAll(orb(first, "8701"));
        var server = first.start(lab, serve);
        try {
            server.any(READY::equals, Town.LONG);
            var call =
                    new ArrayList<>(List.of(program, "corbaloc::" + first.name() + ":8701/Echo"));
            call.addAll(orb(second, "8702"));
            assertThat(run(second, call)).containsExactly("hello, 0 wrong, called back");
        } finally {
            first.end(server);
        }
    }

    private void orb(String to) throws IOException {
        stubs();
        var orb = source("orb.cc");
        compile(
                "c++",
                "-O1",
                "-w",
                "-I.",
                "-o",
                to,
                orb,
                "echoSK.cc",
                "-lomniORB4",
                "-lomnithread");
    }

    /// Where it listens, and what it tells others of that.
    private static List<String> orb(End end, String port) {
        return List.of(
                "-ORBendPoint",
                "giop:tcp::" + port,
                "-ORBendPointPublish",
                "giop:tcp:%s:%s".formatted(end.name(), port),
                "-ORBgiopMaxMsgSize",
                "20000000");
    }

    /// Both in each process, at once: what PadicoTM was made for.
    void mpiAndCorba() throws IOException {
        Command.require("mpicxx.mpich", "mpiexec.mpich");
        var program = made("both", this::both);
        assertThat(run(first, mpiexec(program, first.name(), second.name(), "8731")))
                .contains("rank 0: MPI right, CORBA right", "rank 1: MPI right, CORBA right")
                .contains("rank 0 peer " + second.address(), "rank 1 peer " + first.address());
    }

    private void both(String to) throws IOException {
        stubs();
        source("meet.h");
        var both = source("both.cc");
        compile(
                "mpicxx.mpich",
                "-O1",
                "-w",
                "-I.",
                "-o",
                to,
                both,
                "echoSK.cc",
                "-lomniORB4",
                "-lomnithread",
                "-lpthread");
    }

    void ice() throws IOException {
        Command.require("/usr/bin/python3", "/usr/lib/python3/dist-packages/Ice/__init__.py");
        var script = List.of("/usr/bin/python3", source("echo.py"), source("Echo.ice"));
        var serve = new ArrayList<>(script);
        serve.addAll(List.of(first.name(), "8711"));
        var server = first.start(lab, serve);
        try {
            server.any(READY::equals, Town.LONG);
            var call = new ArrayList<>(script);
            call.addAll(List.of(second.name(), "8712", first.name(), "8711"));
            assertThat(run(second, call)).containsExactly(second.address() + " right called back");
        } finally {
            first.end(server);
        }
    }

    void gsoap() throws IOException {
        gsoap(first, "8721");
    }

    /// The server is started as this end says, whatever the first is.
    void gsoap(End at, String port) throws IOException {
        Command.require("soapcpp2", "/usr/include/stdsoap2.h");
        var program = made("calc", this::calc);
        var server = at.start(lab, List.of(program, "serve", port));
        try {
            server.any(READY::equals, Town.LONG);
            var url = "http://%s:%s/".formatted(first.name(), port);
            assertThat(run(second, List.of(program, url)))
                    .containsExactly("42.5 0.125 reversed " + second.address(), "no number");
        } finally {
            at.end(server);
        }
    }

    private void calc(String to) throws IOException {
        compile("soapcpp2", "-cLx", source("calc.h"));
        var flags = List.of("-O1", "-w", "-DWITH_IPV6", "-DWITH_DOM", "-I.", "-o", to);
        var all = new ArrayList<>(List.of("cc"));
        all.addAll(flags);
        all.addAll(List.of(source("calc.c"), "soapC.c", "soapClient.c", "soapServer.c", "-lgsoap"));
        compile(all.toArray(String[]::new));
    }

    /// A tunnel of WireGuard's, and a file through it; who fetches that is not wrapped, and nor is
    /// who has it.
    void wireguard() throws IOException {
        Command.require("wireguard-go", "curl", "/usr/bin/python3", "/dev/net/tun");
        var script = Path.of(source("tunnel.py"));
        try (var tunnels = new Wireguard(lab, folder, script, List.of(first, second))) {
            tunnels.fetch();
        }
    }
}
