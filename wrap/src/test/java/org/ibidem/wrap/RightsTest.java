package org.ibidem.wrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.ibidem.OtherUser;
import org.ibidem.wrap.Sides.Means;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The launcher, the supervisor and the program are an ordinary user's, who has no rights at all.
/// The agents are not: so what is shown is the way to a program of this machine, on which they
/// carry nothing. (What they carry takes one user: a port is shared with nobody else's sockets.)
@Timeout(120)
@EnabledOnOs(OS.LINUX)
@Tag("slow")
class RightsTest {
    /// Not the one whom files of others seem to belong to in a user namespace.
    private static final int USER = 54_321;

    private static final List<String> AS_USER =
            List.of("setpriv", "--reuid=" + USER, "--regid=" + USER, "--clear-groups");

    @RegisterExtension static final Sides sides = new Sides();
    private static Agent near;

    @BeforeAll
    static void allow() throws Exception {
        OtherUser.require();
        near = Agent.start(sides.client, "", "auto", sides.folder.resolve("d"));
        rights(sides.folder, "rwxr-xr-x");
        rights(sides.folder.resolve("d"), "rw-rw-rw-");
        rights(sides.folder.resolve("s"), "rw-rw-rw-");
    }

    private static void rights(Path file, String rights) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(rights));
    }

    private static Path copy(String program, String name, int mode) throws IOException {
        var copy = sides.folder.resolve(name);
        if (!Files.exists(copy)) {
            Files.copy(Path.of(program), copy);
            Files.setAttribute(copy, "unix:mode", mode);
        }
        return copy;
    }

    @AfterAll
    static void leave() throws IOException {
        if (near != null) {
            near.close();
        }
    }

    private static Process start(Means means, String agent, String... program) throws IOException {
        return sides.start(AS_USER, means, agent, program);
    }

    /// Its port, which comes after what is said of names: without rights there may be none.
    private static int server(Means means) throws IOException {
        var process = start(means, "s", "python3", "" + sides.probe, "serve", "127.0.0.1", "0");
        var reader = process.inputReader(StandardCharsets.UTF_8);
        for (var line = reader.readLine(); line != null; line = reader.readLine()) {
            if (line.matches("\\d+")) {
                return Integer.parseInt(line);
            }
            assertThat(line).contains("an /etc/hosts of its own");
        }
        throw new AssertionError("the server has ended without a port");
    }

    @ParameterizedTest
    @EnumSource
    void programs_of_an_ordinary_user_reach_each_other(Means means) throws Exception {
        int port = server(means);
        var client =
                "grep CapEff /proc/$PPID/status; exec python3 %s blocking 127.80.0.1 %d"
                        .formatted(sides.probe, port);
        assertThat(Wrapped.output(start(means, "d", "sh", "-c", client)).lines())
                .endsWith("CapEff:\t0000000000000000", "hello from 127.80.0.0 127.80.0.1:" + port);
    }

    @Test
    void a_program_that_gets_no_other_rights_by_seccomp_says_so_and_runs() throws Exception {
        var program = copy("/usr/bin/id", "id", 04755);
        assertThat(Wrapped.output(start(Means.SECCOMP, "d", program.toString(), "-u")).lines())
                .endsWith(
                        "ibidem wrap: %s runs without the rights of another that its file gives (set-user-id), which seccomp takes away; --preload does not"
                                .formatted(program),
                        USER + "");
    }

    /// What it says to a port, and hears.
    private static String unreadable(Means means, String host, int port) throws Exception {
        var shell = "/bin/bash";
        assumeTrue(Files.isExecutable(Path.of(shell)), "there is no " + shell);
        var program = copy(shell, "unreadable", 0111);
        var script =
                "exec 3<>/dev/tcp/%s/%d; echo hello >&3; read -u 3 said; echo $said"
                        .formatted(host, port);
        return Wrapped.output(start(means, "d", program.toString(), "-c", script));
    }

    @Test
    void a_program_that_nobody_may_read_is_the_kernel_s_by_seccomp_and_that_is_said()
            throws Exception {
        int port = Sides.port(sides.plain("python3", "" + sides.probe, "serve", "127.0.0.1", "0"));
        assertThat(unreadable(Means.SECCOMP, "127.0.0.1", port).lines())
                .endsWith(
                        "ibidem wrap: %s runs without Ibidem: its file cannot be read by this user, so the kernel lets nobody look into it; --preload gets into it"
                                .formatted(sides.folder.resolve("unreadable")),
                        "hello from 127.0.0.1");
    }

    @Test
    void a_program_that_nobody_may_read_is_served_by_the_preloaded_library() throws Exception {
        int port = server(Means.PRELOAD);
        assertThat(unreadable(Means.PRELOAD, "127.80.0.1", port).lines())
                .endsWith("hello from 127.80.0.0");
    }
}
