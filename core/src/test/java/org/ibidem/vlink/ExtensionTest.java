package org.ibidem.vlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.vlink.VLinkTest.done;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
import org.ibidem.service.Extension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A filter that was compiled after the nodes had begun.
@Timeout(60)
@Tag("slow")
class ExtensionTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String SERVICE = "META-INF/services/org.ibidem.link.Filter";
    private static final String SOURCE =
            """
            package strange;

            import org.ibidem.link.*;

            public final class Marked implements FrameFilter {
                public record Options() {}

                @Override
                public String name() {
                    return "marked";
                }

                @Override
                public Class<Options> options() {
                    return Options.class;
                }

                @Override
                public int header(Record options) {
                    return 0;
                }

                @Override
                public FrameLink over(FrameLink below, int offset, Record options, Lower lower) {
                    return new FilteredLink(below.sink(), below.source(), below);
                }
            }
            """;

    @TempDir private static Path folder;
    private static Path jar;

    private final Pair pair = new Pair();

    @AfterEach
    void close() {
        pair.close();
    }

    @BeforeAll
    static void compile() throws IOException {
        var source = Files.createDirectory(folder.resolve("strange")).resolve("Marked.java");
        Files.writeString(source, SOURCE);
        var compiler = ToolProvider.getSystemJavaCompiler();
        var path = System.getProperty("java.class.path");
        int said = compiler.run(null, null, null, "-proc:none", "-cp", path, source.toString());
        assertThat(said).isZero();
        jar = folder.resolve("strange.jar");
        try (var out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (var name : new String[] {"Marked", "Marked$Options"}) {
                var file = "strange/" + name + ".class";
                out.putNextEntry(new JarEntry(file));
                Files.copy(folder.resolve(file), out);
            }
            out.putNextEntry(new JarEntry(SERVICE));
            out.write("strange.Marked\n".getBytes(StandardCharsets.UTF_8));
        }
    }

    private Posted<VLink> connecting() {
        return pair.from.connect(pair.two.id(), "echo", "marked > tcp", "", LIMIT);
    }

    @Test
    void a_filter_comes_from_a_jar_into_nodes_that_run() {
        assertThatThrownBy(this::connecting).hasMessageContaining("marked");
        var extension = Extension.load(pair.one, jar);
        assertThat(extension.names()).containsExactly("marked");
        assertThat(extension.loader()).isNotEqualTo(getClass().getClassLoader());
        try (var listener = pair.to.listen("echo", VLinks.ANY, 1)) {
            assertThatThrownBy(() -> done(connecting()))
                    .as("the other end has not loaded it")
                    .isInstanceOf(VLinkFailed.class)
                    .hasMessageContaining("marked");
            Extension.load(pair.two, jar);
            var accepting = listener.postAccept();
            var client = done(connecting());
            VLinkTest.write(client, new byte[] {1, 2, 3});
            assertThat(VLinkTest.read(done(accepting), 3)).containsExactly(1, 2, 3);
            assertThat(client.way()).contains("marked");
        }
    }

    @Test
    void what_brings_nothing_or_a_name_that_is_taken_is_refused() throws IOException {
        Extension.load(pair.one, jar);
        assertThatThrownBy(() -> Extension.load(pair.one, jar))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("marked");
        var empty = folder.resolve("empty.jar");
        new JarOutputStream(Files.newOutputStream(empty)).close();
        assertThatThrownBy(() -> Extension.load(pair.one, empty))
                .hasMessageContaining("brings no driver and no filter");
        assertThatThrownBy(() -> Extension.load(pair.one, folder.resolve("none.jar")))
                .hasMessageContaining("there is no jar");
    }
}
