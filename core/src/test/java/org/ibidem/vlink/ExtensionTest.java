package org.ibidem.vlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.vlink.VLinkTest.done;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
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
    private static final String DRIVERS = "META-INF/services/org.ibidem.link.Driver";
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

    /// Moves bytes as `loopback` does, under a name of its own.
    private static final String DRIVER =
            """
            package strange;

            import org.ibidem.link.*;
            import org.ibidem.link.loopback.*;

            public final class Odd implements Driver {
                private final LoopbackDriver way = new LoopbackDriver();

                @Override
                public String name() {
                    return "odd";
                }

                @Override
                public Class<? extends Record> options() {
                    return way.options();
                }

                @Override
                public Domain domain(Tasks tasks, boolean open) {
                    return way.domain(tasks, open);
                }

                @Override
                public boolean overConnections() {
                    return way.overConnections();
                }
            }
            """;

    private static final String PERSONALITY =
            """
            package strange;

            import java.nio.ByteBuffer;
            import java.util.function.Consumer;
            import org.ibidem.vlink.*;

            public final class Telegraph implements Consumer<VLink> {
                @Override
                public void accept(VLink to) {
                    to.postWrite(ByteBuffer.wrap(new byte[] {'s', 'o', 's'}));
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
        Files.createDirectory(folder.resolve("strange"));
        compile("Marked", SOURCE);
        compile("Odd", DRIVER);
        compile("Telegraph", PERSONALITY);
        jar = folder.resolve("strange.jar");
        try (var out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (var name : new String[] {"Marked", "Marked$Options", "Odd", "Telegraph"}) {
                var file = "strange/" + name + ".class";
                out.putNextEntry(new JarEntry(file));
                Files.copy(folder.resolve(file), out);
            }
            provide(out, SERVICE, "strange.Marked");
            provide(out, DRIVERS, "strange.Odd");
        }
    }

    private static void compile(String name, String text) throws IOException {
        var source = folder.resolve("strange").resolve(name + ".java");
        Files.writeString(source, text);
        var compiler = ToolProvider.getSystemJavaCompiler();
        var path = System.getProperty("java.class.path");
        int said = compiler.run(null, null, null, "-proc:none", "-cp", path, source.toString());
        assertThat(said).isZero();
    }

    private static void provide(JarOutputStream out, String service, String name)
            throws IOException {
        out.putNextEntry(new JarEntry(service));
        out.write((name + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private Posted<VLink> connecting() {
        return pair.from.connect(pair.two.id(), "echo", "marked > tcp", "", LIMIT);
    }

    @Test
    void a_filter_comes_from_a_jar_into_nodes_that_run() {
        assertThatThrownBy(this::connecting).hasMessageContaining("marked");
        var extension = Extension.load(pair.one, jar);
        assertThat(extension.names()).containsExactly("odd", "marked");
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
    @SuppressWarnings("unchecked")
    void a_driver_and_a_personality_come_from_a_jar_into_nodes_that_run() throws Exception {
        var extension = Extension.load(pair.one, jar);
        Extension.load(pair.two, jar);
        var personality = extension.loader().loadClass("strange.Telegraph");
        var telegraph = (Consumer<VLink>) personality.getDeclaredConstructor().newInstance();
        try (var listener = pair.to.listen("sos", VLinks.ANY, 1)) {
            var accepting = listener.postAccept();
            var client = done(pair.from.connect(pair.two.id(), "sos", "marked > odd", "", LIMIT));
            telegraph.accept(client);
            assertThat(VLinkTest.read(done(accepting), 3)).asString().isEqualTo("sos");
            assertThat(client.way()).contains("marked > odd");
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
