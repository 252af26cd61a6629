package org.ibidem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What `./ibidem setup` installs, by who asks and what is there: its shell functions on a machine
/// where every program, `apt-get` among them, is one of ours that only writes down what it was
/// told.
@Timeout(60)
class SetupTest {
    private static final Path BIN = Path.of("..", "bin").toAbsolutePath().normalize();
    private static final String INSTALL = "install -y --no-install-recommends ";

    /// What the build and the laboratory look for, each with its package.
    private static final Map<String, String> PACKAGES =
            Map.ofEntries(
                    Map.entry("mvn", "maven"),
                    Map.entry("taskset", "util-linux"),
                    Map.entry("ip", "iproute2"),
                    Map.entry("nft", "nftables"),
                    Map.entry("tc", "iproute2"),
                    Map.entry("python3", "python3"),
                    Map.entry("unshare", "util-linux"),
                    Map.entry("conntrack", "conntrack"),
                    Map.entry("danted", "dante-server"),
                    Map.entry("iperf3", "iperf3"),
                    Map.entry("haproxy", "haproxy"),
                    Map.entry("stunnel4", "stunnel4"),
                    Map.entry("faketime", "faketime"),
                    Map.entry("perl", "perl-base"),
                    Map.entry("cc", "build-essential"),
                    Map.entry("clang", "clang"),
                    Map.entry("musl-gcc", "musl-tools"),
                    Map.entry("pkg-config", "pkgconf"),
                    Map.entry("nginx", "nginx-light"),
                    Map.entry("curl", "curl"),
                    Map.entry("redis-server", "redis-server"),
                    Map.entry("redis-benchmark", "redis-tools"),
                    Map.entry("sshd", "openssh-server"),
                    Map.entry("rsync", "rsync"),
                    Map.entry("pgbench", "postgresql"),
                    Map.entry("go", "golang-go"),
                    Map.entry("mpicc.openmpi", "libopenmpi-dev"),
                    Map.entry("mpirun.openmpi", "openmpi-bin"),
                    Map.entry("mpicc.mpich", "libmpich-dev"),
                    Map.entry("mpiexec.mpich", "mpich"),
                    Map.entry("/usr/include/openssl/ecdsa.h", "libssl-dev"),
                    Map.entry("/usr/share/mpj/lib/mpi.jar", "libmpj-java"),
                    Map.entry("ssh", "openssh-client"),
                    Map.entry("omniidl", "omniidl"),
                    Map.entry("/usr/include/omniORB4/CORBA.h", "libomniorb4-dev"),
                    Map.entry(
                            "/usr/lib/python3/dist-packages/Ice/__init__.py", "python3-zeroc-ice"),
                    Map.entry("soapcpp2", "gsoap"),
                    Map.entry("/usr/include/stdsoap2.h", "libgsoap-dev"),
                    Map.entry("/usr/lib/pvm3/lib/pvmd", "pvm"),
                    Map.entry("/usr/include/pvm3.h", "pvm-dev"),
                    Map.entry("wireguard-go", "wireguard-go"),
                    Map.entry(
                            "/usr/lib/python3/dist-packages/requests/__init__.py",
                            "python3-requests"),
                    Map.entry("strace", "strace"),
                    Map.entry("chromium", "chromium"));

    @TempDir Path root;

    private record Said(int code, String err) {}

    @BeforeEach
    void plant() throws IOException {
        // Not Linux: no device of this machine is touched, whoever runs the test.
        program("uname", "echo Test");
        program("mkdir", "exec /bin/mkdir \"$@\"");
    }

    private void program(String name, String body) throws IOException {
        var file = root.resolve("path").resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + body + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private void user(int id) throws IOException {
        program("id", "echo " + id);
    }

    /// Apt, whose sources offer these of the packages that a JDK may come in.
    private void apt(String whenAsked, String... jdks) throws IOException {
        program("apt-get", "echo \"$*\" >>'" + root + "/asked'\n" + whenAsked);
        program("apt-cache", "case $2 in none" + prefixed("|", jdks) + ") ;; *) exit 1 ;; esac");
    }

    private static String prefixed(String prefix, String... names) {
        return String.join("", Arrays.stream(names).map(name -> prefix + name).toList());
    }

    private List<String> asked() throws IOException {
        var file = root.resolve("asked");
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    /// The packages of the one line that installs.
    private List<String> installed() throws IOException {
        var lines = asked().stream().filter(line -> line.startsWith(INSTALL)).toList();
        assertThat(lines).hasSize(1);
        return List.of(lines.getFirst().substring(INSTALL.length()).split(" "));
    }

    /// With a JDK wanted that no machine has, but the one in the home here.
    private Said setup() throws Exception {
        var script =
                "set -eu; root='%s'; . '%s/common.sh'; . '%s/setup.sh'; java_wanted=99; files_below='%s'; setup"
                        .formatted(root, BIN, BIN, root.resolve("files"));
        var builder = new ProcessBuilder("/bin/sh", "-c", script).directory(root.toFile());
        builder.environment().clear();
        builder.environment().put("PATH", root.resolve("path").toString());
        builder.environment().put("HOME", root.resolve("home").toString());
        var process = builder.start();
        var err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return new Said(process.exitValue(), err.strip());
    }

    private static final String JDK = "home/.sdkman/candidates/java/99";

    /// The shell that makes a JDK which is new enough.
    private String makeJdk() {
        return """
        /bin/mkdir -p '%1$s/bin'
        echo 'JAVA_VERSION="99"' >'%1$s/release'
        for each in java javac; do echo >'%1$s/bin/'$each; /bin/chmod 755 '%1$s/bin/'$each; done
        """
                .formatted(root.resolve(JDK));
    }

    private void jdk() throws Exception {
        assertThat(new ProcessBuilder("/bin/sh", "-c", makeJdk()).start().waitFor()).isZero();
    }

    private void allButTheJdk() throws IOException {
        for (var name : PACKAGES.keySet()) {
            if (name.startsWith("/")) {
                var file = root.resolve("files" + name);
                Files.createDirectories(file.getParent());
                Files.writeString(file, "");
            } else {
                program(name, "");
            }
        }
    }

    @Test
    void as_root_with_apt_all_that_is_missing_is_installed() throws Exception {
        user(0);
        var mvn = root.resolve("path/mvn");
        var brings = "echo >'" + mvn + "'; /bin/chmod 755 '" + mvn + "'\n" + makeJdk();
        apt("case $1 in install) " + brings + ";; esac", "temurin-99-jdk");
        var said = setup();
        assertThat(said.err()).endsWith("ibidem: everything is there: try ./ibidem --help");
        assertThat(said.code()).isZero();
        assertThat(installed())
                .containsExactlyInAnyOrderElementsOf(
                        Stream.concat(PACKAGES.values().stream(), Stream.of("temurin-99-jdk"))
                                .toList());
        assertThat(asked()).as("its lists are new").startsWith("update -qq", "update");
    }

    @Test
    void only_what_is_missing_is_installed() throws Exception {
        user(0);
        allButTheJdk();
        jdk();
        Files.delete(root.resolve("path/nft"));
        Files.delete(root.resolve("path/iperf3"));
        apt("", "openjdk-99-jdk-headless");
        assertThat(setup().code()).isZero();
        assertThat(installed()).containsExactlyInAnyOrder("nftables", "iperf3");
    }

    @Test
    void of_several_jdks_the_first_that_the_sources_offer() throws Exception {
        user(0);
        allButTheJdk();
        apt("", "temurin-99-jdk", "openjdk-99-jdk-headless", "java-99-amazon-corretto-jdk");
        setup();
        assertThat(installed()).containsExactly("openjdk-99-jdk-headless");
    }

    @Test
    void where_all_is_there_apt_is_asked_for_nothing() throws Exception {
        user(0);
        allButTheJdk();
        jdk();
        apt("");
        assertThat(setup())
                .isEqualTo(new Said(0, "ibidem: everything is there: try ./ibidem --help"));
        assertThat(asked()).isEmpty();
    }

    @Test
    void an_ordinary_user_is_told_what_to_run_and_nothing_is_run() throws Exception {
        user(1000);
        allButTheJdk();
        Files.delete(root.resolve("path/mvn"));
        apt("", "openjdk-99-jdk-headless");
        var said = setup();
        assertThat(said.code()).isEqualTo(1);
        assertThat(said.err().lines().findFirst())
                .contains(
                        "ibidem: not root; run: sudo apt-get "
                                + INSTALL
                                + "maven openjdk-99-jdk-headless");
        assertThat(asked()).isEmpty();
    }

    @Test
    void without_apt_it_says_what_to_install_by_other_means() throws Exception {
        user(0);
        allButTheJdk();
        Files.delete(root.resolve("path/mvn"));
        Files.delete(root.resolve("path/nft"));
        var said = setup();
        assertThat(said.code()).isEqualTo(1);
        assertThat(said.err().lines())
                .contains(
                        "ibidem: this machine has no apt; install by its own means: maven nftables")
                .last()
                .asString()
                .startsWith("ibidem: needs JDK 99 or newer");
    }

    @Test
    void what_apt_could_not_do_is_in_its_log() throws Exception {
        user(0);
        allButTheJdk();
        jdk();
        Files.delete(root.resolve("path/nft"));
        apt("echo no such source; exit 100");
        var said = setup();
        assertThat(said.err()).contains("apt could not; what it said is in dist/setup.log");
        assertThat(root.resolve("dist/setup.log")).content().contains("no such source");
        assertThat(said.code()).as("the laboratory skips what it lacks").isZero();
    }
}
