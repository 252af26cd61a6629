package org.ibidem.vlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.vlink.VLinkTest.done;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.ibidem.IbidemException;
import org.ibidem.link.Driver;
import org.ibidem.registry.operation.Extension;
import org.ibidem.station.NodeRuntime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A filter and a driver of a module that requires the transport alone, compiled after the nodes
/// had begun.
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

    /// What a driver, or a filter, requires of Ibidem.
    private static final String MODULE =
            """
            module strange {
                requires org.ibidem.transport;

                provides org.ibidem.link.Driver with strange.Odd;
            }
            """;

    /// Moves bytes as `loopback` does, under a name of its own.
    private static final String DRIVER =
            """
            package strange;

            import org.ibidem.config.Services;
            import org.ibidem.link.*;
            import org.ibidem.task.*;

            public final class Odd implements Driver {
                private final Driver way =
                        Services.of(Driver.class).stream()
                                .filter(driver -> driver.name().equals("loopback"))
                                .findAny()
                                .orElseThrow();

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
            package telegraph;

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
        var module = source("module/module-info", MODULE);
        var filter = source("module/strange/Marked", SOURCE);
        var driver = source("module/strange/Odd", DRIVER);
        var inside = Files.createDirectory(folder.resolve("inside"));
        var beside = Files.createDirectory(folder.resolve("beside"));
        var path = place(IbidemException.class) + File.pathSeparator + place(Driver.class);
        compile("-p", path, inside, module, filter, driver);
        // Beside the module: a personality requires more.
        var personality = source("telegraph/Telegraph", PERSONALITY);
        compile("-cp", System.getProperty("java.class.path"), beside, personality);
        jar = folder.resolve("strange.jar");
        try (var out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (var name :
                    List.of(
                            "module-info",
                            "strange/Marked",
                            "strange/Marked$Options",
                            "strange/Odd")) {
                put(out, inside, name);
            }
            put(out, beside, "telegraph/Telegraph");
            out.putNextEntry(new JarEntry(SERVICE));
            out.write("strange.Marked\n".getBytes(StandardCharsets.UTF_8));
        }
    }

    private static void put(JarOutputStream out, Path from, String name) throws IOException {
        out.putNextEntry(new JarEntry(name + ".class"));
        Files.copy(from.resolve(name + ".class"), out);
    }

    private static String source(String name, String text) throws IOException {
        var source = folder.resolve(name + ".java");
        Files.createDirectories(source.getParent());
        return Files.writeString(source, text).toString();
    }

    /// Where the classes of a module lie.
    private static Path place(Class<?> of) {
        return Path.of(of.getProtectionDomain().getCodeSource().getLocation().getPath());
    }

    private static void compile(String kind, String path, Path into, String... sources) {
        var compiler = ToolProvider.getSystemJavaCompiler();
        var said = new ByteArrayOutputStream();
        var arguments =
                Stream.concat(
                        Stream.of(
                                "-proc:none",
                                "-Xlint:all",
                                "-Werror",
                                kind,
                                path,
                                "-d",
                                into.toString()),
                        Stream.of(sources));
        int status = compiler.run(null, said, said, arguments.toArray(String[]::new));
        assertThat(status).as(said.toString(StandardCharsets.UTF_8)).isZero();
    }

    private Posted<VLink> connecting() {
        return pair.from.connect(pair.two.id(), "echo", "marked > tcp", "", LIMIT);
    }

    private static Extension load(NodeRuntime node, Path jar) {
        return Extension.load(node.catalog(), node.domains(), jar);
    }

    @Test
    void a_filter_comes_from_a_jar_into_nodes_that_run() {
        assertThatThrownBy(this::connecting).hasMessageContaining("marked");
        var extension = load(pair.one, jar);
        assertThat(extension.names()).containsExactly("odd", "marked");
        assertThat(extension.loader()).isNotEqualTo(getClass().getClassLoader());
        try (var listener = pair.to.listen("echo", VLinks.ANY, 1)) {
            assertThatThrownBy(() -> done(connecting()))
                    .as("the other end has not loaded it")
                    .isInstanceOf(VLinkFailed.class)
                    .hasMessageContaining("marked");
            load(pair.two, jar);
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
        var extension = load(pair.one, jar);
        load(pair.two, jar);
        var personality = extension.loader().loadClass("telegraph.Telegraph");
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
        load(pair.one, jar);
        assertThatThrownBy(() -> load(pair.one, jar))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("marked");
        var empty = folder.resolve("empty.jar");
        new JarOutputStream(Files.newOutputStream(empty)).close();
        assertThatThrownBy(() -> load(pair.one, empty))
                .hasMessageContaining("brings no driver and no filter");
        assertThatThrownBy(() -> load(pair.one, folder.resolve("none.jar")))
                .hasMessageContaining("there is no jar");
    }
}
