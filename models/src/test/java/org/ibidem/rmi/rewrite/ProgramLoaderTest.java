package org.ibidem.rmi.rewrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;
import org.ibidem.Logged;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is said of the JDK's RMI in a program.
class ProgramLoaderTest {
    private static final String SOURCE =
            """
            class Used {
                Object ssl = new javax.rmi.ssl.SslRMIClientSocketFactory();
            }

            class Unused {
                Object factory = java.rmi.server.RMISocketFactory.getSocketFactory();
            }

            class Plain {
                Object registry() throws Exception {
                    return java.rmi.registry.LocateRegistry.getRegistry();
                }
            }
            """;

    @TempDir Path folder;

    private void compile() throws IOException {
        var file = Files.writeString(folder.resolve("Used.java"), SOURCE).toString();
        var javac = ToolProvider.getSystemJavaCompiler();
        assertThat(javac.run(null, null, null, "-d", folder.toString(), file)).isZero();
    }

    @Test
    void the_classes_that_a_program_loads_are_told_of_and_no_others() throws Exception {
        compile();
        try (var logged = new Logged(ProgramLoader.class);
                var parent = new URLClassLoader(new URL[] {folder.toUri().toURL()});
                var loader = new ProgramLoader(parent)) {
            assertThat(loader.loadClass("Plain").getClassLoader()).isSameAs(loader);
            assertThat(logged.lines()).isEmpty();
            assertThat(loader.loadClass("Used").getClassLoader()).isSameAs(loader);
            assertThat(logged.lines())
                    .containsExactly(
                            "WARNING Used uses what stays the JDK's:"
                                    + " javax.rmi.ssl.SslRMIClientSocketFactory");
        }
    }

    @Test
    void what_is_no_class_file_is_named() throws Exception {
        Files.writeString(folder.resolve("Broken.class"), "no class file");
        try (var parent = new URLClassLoader(new URL[] {folder.toUri().toURL()});
                var loader = new ProgramLoader(parent)) {
            assertThatThrownBy(() -> loader.loadClass("Broken"))
                    .isInstanceOf(ClassFormatError.class)
                    .hasMessageStartingWith("cannot rewrite Broken: ")
                    .hasCauseInstanceOf(IllegalArgumentException.class);
        }
    }
}
