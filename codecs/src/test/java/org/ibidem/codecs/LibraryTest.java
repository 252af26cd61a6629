package org.ibidem.codecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.ibidem.codec.Codecs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Where the native code is loaded, and where it cannot be.
@Timeout(60)
class LibraryTest {
    @TempDir Path folder;

    /// What is said in the log meanwhile.
    private static List<String> logged(Runnable body) {
        var said = new ArrayList<String>();
        var handler =
                new Handler() {
                    @Override
                    public void publish(LogRecord logged) {
                        said.add(logged.getMessage());
                    }

                    @Override
                    public void flush() {}

                    @Override
                    public void close() {}
                };
        var log = Logger.getLogger(Library.class.getName());
        log.addHandler(handler);
        log.setUseParentHandlers(false);
        try {
            body.run();
        } finally {
            log.setUseParentHandlers(true);
            log.removeHandler(handler);
        }
        return said;
    }

    private static String said(Library.Loader loader) {
        var library = new Library(loader);
        var said = logged(() -> new Zstd(library).objection());
        assertThat(said).singleElement().asString().startsWith("zstd is left out, and what else");
        assertThat(logged(() -> new Zstd(library).objection())).as("once is enough").isEmpty();
        return String.valueOf(library.objection());
    }

    @Test
    void why_it_cannot_be_loaded_is_said_once_in_one_line() {
        assertThat(
                        said(() -> {
                            throw new UnsatisfiedLinkError("no zstd in path\n  at all");
                        }))
                .isEqualTo(
                        "its native code cannot be loaded: UnsatisfiedLinkError: no zstd in path;"
                                + " it is unpacked where java.io.tmpdir says, which must have room"
                                + " and let code run");
        assertThat(
                        said(() -> {
                            var cause = new IllegalCallerException("native access denied");
                            throw new ExceptionInInitializerError(cause);
                        }))
                .endsWith(
                        "IllegalCallerException: native access denied; start java with"
                                + " --enable-native-access=com.github.luben.zstd_jni");
        assertThat(
                        said(() -> {
                            throw new IOException("No space left on device");
                        }))
                .contains("IOException: No space left on device; it is unpacked");
    }

    @Test
    void what_cannot_be_loaded_makes_no_encoder() {
        var library =
                new Library(() -> {
                    throw new UnsatisfiedLinkError("not here");
                });
        var said =
                logged(() -> {
                    var zstd = new Zstd(library);
                    assertThatThrownBy(() -> zstd.encoder(1))
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("not here");
                    assertThatThrownBy(zstd::decoder).hasMessageContaining("not here");
                });
        assertThat(said).hasSize(1);
    }

    @Test
    void it_is_tried_once_and_not_before_somebody_asks() {
        var tried = new AtomicInteger();
        var zstd = new Zstd(new Library(tried::incrementAndGet));
        assertThat(zstd.levels()).isNotEmpty();
        assertThat(tried).hasValue(0);
        assertThat(zstd.objection()).isNull();
        assertThat(zstd.objection()).isNull();
        assertThat(tried).hasValue(1);
    }

    /// In a process of its own, killed where it has loaded it.
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) {
            for (var codec : Codecs.found().all()) {
                System.out.println(codec.name() + ": " + codec.objection());
            }
            Runtime.getRuntime().halt(0);
        }
    }

    private String run(String... options) throws Exception {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var command = new ArrayList<>(List.of(java, "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(Program.class.getName());
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return said;
    }

    @Test
    void nothing_is_left_in_the_folder_for_temporary_files() throws Exception {
        assertThat(run("--enable-native-access=ALL-UNNAMED", "-Djava.io.tmpdir=" + folder))
                .isEqualTo("deflate: null%nzstd: null%n".formatted());
        try (var files = Files.list(folder)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void where_native_access_is_denied_the_others_are_there() throws Exception {
        assertThat(run("--illegal-native-access=deny", "-Djava.io.tmpdir=" + folder))
                .contains("deflate: null", "zstd is left out", "IllegalCallerException");
        try (var files = Files.list(folder)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void where_nothing_can_be_unpacked_the_others_are_there() throws Exception {
        assertThat(run("-Djava.io.tmpdir=" + folder.resolve("none")))
                .contains("deflate: null", "zstd: its native code cannot be loaded: NoSuchFile");
    }
}
