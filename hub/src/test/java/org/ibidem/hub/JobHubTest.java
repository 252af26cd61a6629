package org.ibidem.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.ibidem.IbidemException;
import org.ibidem.arbitration.Threads;
import org.ibidem.config.Settings;
import org.ibidem.connect.SocketPath;
import org.ibidem.handshake.Handshake;
import org.ibidem.handshake.HandshakeFailed;
import org.ibidem.handshake.Hello;
import org.ibidem.identity.Identity;
import org.ibidem.link.Driver;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.registry.access.Runtimes;
import org.ibidem.trust.JobFile;
import org.ibidem.trust.JobKey;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// A hub that is for a job alone takes in who has the job's key, which is looked for where this
/// user's are.
@Isolated("writes keys into the usual folder")
@Timeout(120)
class JobHubTest {
    /// Joins, and says what came of it.
    private static final String JOINER =
"""
            import org.ibidem.IbidemException;
            import org.ibidem.registry.*;

            void main(String[] args) {
                try (var node = Node.join(Join.pool("job").hub(args[0]))) {
                    IO.println("joined");
                } catch (IbidemException e) {
                    IO.println(e.getMessage());
                }
            }
""";

    private static Hub hub(JobKey key) {
        return Hub.start(Hub.Options.DEFAULT.port(0), key);
    }

    private static void joins(Hub hub) {
        try (var node = Node.join(Join.pool("job").hub("localhost:" + hub.port()))) {
            assertThat(node.rank()).isZero();
        }
    }

    private static void isRefused(Hub hub, String... why) {
        assertThatThrownBy(() -> joins(hub))
                .isInstanceOf(IbidemException.class)
                .hasMessageContainingAll(why);
    }

    @Test
    void who_has_the_key_joins_and_nobody_else() throws Exception {
        var key = JobKey.create();
        try (var hub = hub(key)) {
            var user = "of user '" + System.getProperty("user.name") + "'";
            isRefused(
                    hub,
                    user + ", and you show no key of it; be that user, or start the job with",
                    "(here there is no key of a job at port " + hub.port() + " in ");
            var wrong = JobFile.write(JobKey.create(), hub.port());
            isRefused(hub, user, "you show the key of another");
            wrong.delete();
            var file = JobFile.write(key, hub.port());
            try {
                joins(hub);
            } finally {
                file.delete();
            }
            isRefused(hub, user, "you show no key of it");
        }
    }

    /// As anybody on the machine may who has learned where it listens.
    private static void connects(Node to) throws IOException {
        var stranger = new Threads("stranger");
        try {
            var handshake = new Handshake(Identity.create(), stranger, Handshake.LIMIT);
            var at = new InetSocketAddress("localhost", Runtimes.of(to).listener().port());
            var path = new SocketPath(SocketChannel.open(at));
            handshake.initiate(path, Hello.service("job", to.id()));
        } finally {
            stranger.close();
        }
    }

    @Test
    void members_deal_with_each_other_and_with_nobody_who_has_not_the_key() throws Exception {
        var key = JobKey.create();
        var type = PortType.oneToOne().stack("tcp");
        try (var hub = hub(key)) {
            var file = JobFile.write(key, hub.port());
            try (var one = Node.join(Join.pool("job").hub("localhost:" + hub.port()));
                    var other = Node.join(Join.pool("job").hub("localhost:" + hub.port()));
                    var in = ReceivePort.open(other, type, "in");
                    var out = SendPort.open(one, type, "out")) {
                out.connect(other.id(), in.name());
                try (var message = out.newMessage()) {
                    message.writeInt(7).finish();
                }
                try (var message = in.receive()) {
                    assertThat(message.readInt()).isEqualTo(7);
                }
                assertThatThrownBy(() -> connects(other)).isInstanceOf(HandshakeFailed.class);
                eventually(
                        "it is closed", () -> Runtimes.of(other).listener().tally().failed() > 0);
            } finally {
                file.delete();
            }
        }
    }

    @Test
    void two_jobs_at_once_take_in_their_own() throws Exception {
        var keys = List.of(JobKey.create(), JobKey.create());
        try (var one = hub(keys.getFirst());
                var other = hub(keys.getLast())) {
            var file = JobFile.write(keys.getFirst(), one.port());
            var another = JobFile.write(keys.getLast(), other.port());
            try {
                joins(one);
                joins(other);
            } finally {
                file.delete();
                another.delete();
            }
        }
    }

    @Test
    void a_hub_that_has_the_port_of_one_that_has_ended_is_not_joined_in_its_place()
            throws Exception {
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0))) {
            joins(hub);
            var file = JobFile.write(JobKey.create(), hub.port());
            try {
                isRefused(hub, "this hub is of no job", "unset ibidem.job to join this one");
            } finally {
                file.delete();
            }
        }
    }

    @Test
    @Tag("lab")
    void another_user_of_the_machine_is_refused(@TempDir Path folder) throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root can be another user");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "there is no setpriv");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        var source = Files.writeString(folder.resolve("Joiner.java"), JOINER);
        copyClasses(folder.resolve("classes"));
        var key = JobKey.create();
        try (var hub = hub(key)) {
            var file = JobFile.write(key, hub.port());
            try {
                assertThat(joined(List.of(), source, hub, file)).isEqualTo("joined");
                var other = List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");
                var said = joined(other, source, hub, file);
                assertThat(said)
                        .contains("of a job of user 'root'", "which this user may not read")
                        .contains("be that user, or start the job with: ibidem run --open");
            } finally {
                file.delete();
            }
        }
    }

    private static String joined(List<String> as, Path source, Hub hub, JobFile file)
            throws Exception {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var path = String.valueOf(source.resolveSibling("classes"));
        var command =
                Stream.of(
                                as,
                                List.of(java, "-XX:TieredStopAtLevel=1", "-cp", path),
                                List.of("-Dibidem.monitor=off", source.toString()),
                                List.of("localhost:" + hub.port()))
                        .flatMap(List::stream)
                        .toList();
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("IBIDEM_JOB", file.path().toString());
        try (var said = builder.start().inputReader(StandardCharsets.UTF_8)) {
            return said.readAllAsString().strip();
        }
    }

    /// To where everybody can read them, wherever the tests lie.
    private static void copyClasses(Path into) throws Exception {
        for (var one : List.of(Settings.class, Driver.class, Node.class)) {
            var from = Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
            try (var files = Files.walk(from)) {
                for (var file : files.filter(Files::isRegularFile).toList()) {
                    var to = into.resolve(from.relativize(file).toString());
                    Files.createDirectories(to.getParent());
                    Files.copy(file, to, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
        Files.deleteIfExists(into.resolve("module-info.class"));
    }
}
