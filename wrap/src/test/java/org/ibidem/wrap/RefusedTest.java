package org.ibidem.wrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.ibidem.wrap.Sides.Means;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Kernels and containers that refuse what seccomp's notification takes: that is said, and the
/// preloaded library does instead, or, where there is none, the program is as it is alone.
@Timeout(120)
@EnabledOnOs(OS.LINUX)
@Tag("slow")
class RefusedTest {
    private static final String OLD = "this kernel is older than Linux 5.6, or has no seccomp";
    private static final String REFUSED =
            "this system or its container refuses what seccomp takes (Operation not permitted)";

    @RegisterExtension static final Sides sides = new Sides();
    private static Path refuse;

    @BeforeAll
    static void write() throws Exception {
        refuse = Wrapped.script(sides.folder, "refuse.py");
    }

    /// By which it is refused with this error.
    private static List<String> without(String call, String error) {
        return List.of("python3", refuse.toString(), call, error);
    }

    @ParameterizedTest
    @CsvSource({
        "seccomp, ENOSYS",
        "seccomp, EINVAL",
        "seccomp, EPERM",
        "pidfd_open, ENOSYS",
        "pidfd_getfd, ENOSYS",
        "pidfd_getfd, EPERM",
        "process_vm_readv, EPERM"
    })
    void where_a_call_is_refused_that_is_said_and_the_program_goes_by_the_library(
            String call, String error) throws Exception {
        int port = sides.serve(Means.SECCOMP, "127.0.0.1", "0");
        var program =
                new String[] {"python3", "" + sides.probe, "blocking", "127.80.0.1", "" + port};
        var process = sides.start(without(call, error), Means.SECCOMP, "c", program);
        assertThat(Wrapped.output(process).lines())
                .containsExactly(
                        "ibidem wrap: python3 goes by the preloaded library, as "
                                + (error.equals("EPERM") ? REFUSED : OLD),
                        "hello from 127.80.0.0 127.80.0.1:" + port);
    }

    /// The server listens by the kernel, and is reached by it.
    @Test
    void where_there_is_no_library_either_that_is_said_and_a_program_is_as_it_is_alone()
            throws Exception {
        var alone = Files.createDirectory(sides.folder.resolve("alone")).resolve("ibidem-launch");
        Files.copy(sides.launcher, alone, StandardCopyOption.COPY_ATTRIBUTES);
        var command = new ArrayList<>(without("seccomp", "ENOSYS"));
        Collections.addAll(command, alone.toString(), sides.folder.resolve("c").toString(), "-");
        var both =
                """
                import socket
                l = socket.create_server(('127.0.0.1', 0))
                c = socket.create_connection(l.getsockname(), 60)
                s, peer = l.accept()
                s.sendall(b'native\\n')
                print(c.makefile().readline().strip(), peer == c.getsockname())
                """;
        Collections.addAll(command, "python3", "-c", both);
        var process = sides.plain(command.toArray(String[]::new));
        assertThat(Wrapped.output(process).lines())
                .containsExactly(
                        "ibidem wrap: python3 runs without Ibidem: %s, and there is no libibidem-wrap.so beside this launcher, or in a folder with a blank or colon"
                                .formatted(OLD),
                        "native True");
        assertThat(process.exitValue()).isZero();
    }

    /// Cause and remedy, whoever is to be begun.
    @Test
    void what_cannot_be_begun_is_said_with_what_to_do() throws Exception {
        var plain = Files.writeString(sides.folder.resolve("plain"), "text");
        var lost = Files.writeString(sides.folder.resolve("lost"), "#!/no/such/interpreter\n");
        assertThat(lost.toFile().setExecutable(true)).isTrue();
        var words = new ArrayList<String>();
        for (var program : List.of("/no/such", "no-such-program", plain + "", lost + "")) {
            words.add(Wrapped.output(sides.start(Means.SECCOMP, "c", program)));
        }
        assertThat(String.join("\n", words))
                .isEqualTo(
                        """
                        ibidem wrap: /no/such: No such file or directory; see its path
                        ibidem wrap: no-such-program: No such file or directory; install it, or name its path: it is in no folder of PATH
                        ibidem wrap: %s: Permission denied; a program is a file that this user may execute (chmod +x), or is named after its interpreter (python3 FILE)
                        ibidem wrap: %s: No such file or directory; the interpreter that its first line names, or its dynamic linker, is not there\
                        """
                                .formatted(plain, lost));
    }
}
