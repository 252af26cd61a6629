package org.ibidem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.Serializable;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RewriteCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir Path folder;

    /// Something to send.
    static class Pair implements Serializable {
        private static final long serialVersionUID = 1L;
        final String left = "l";
        final int right = 1;
    }

    record Left(int one) implements Serializable {}

    private int ibidem(String... args) {
        return Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args);
    }

    private Path copy(Class<?> type) throws Exception {
        var name = type.getName().replace('.', '/') + ".class";
        var file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        try (var in = type.getClassLoader().getResourceAsStream(name)) {
            Files.write(file, in.readAllBytes());
        }
        return file;
    }

    @Test
    void rewrites_a_folder_and_lists_what_it_left() throws Exception {
        var pair = copy(Pair.class);
        copy(Left.class);
        copy(RewriteCommandTest.class);
        var before = Files.readAllBytes(pair);
        assertThat(ibidem("rewrite", folder.toString())).isZero();
        assertThat(out.toString())
                .contains("rewritten " + Pair.class.getName())
                .contains("left      " + Left.class.getName() + ": a record")
                .contains("1 rewritten, 0 as before, 1 left alone");
        assertThat(Files.readAllBytes(pair)).isNotEqualTo(before);
        assertThat(ibidem("rewrite", "--quiet", pair.toString())).isZero();
        assertThat(out.toString()).contains("0 rewritten, 1 as before, 0 left alone");
    }

    @Test
    void has_calls_spawned_and_changes_nothing_the_second_time() throws Exception {
        copy(Class.forName("org.ibidem.apps.fib.Fib"));
        copy(Class.forName("org.ibidem.apps.fib.FibInterface"));
        assertThat(ibidem("rewrite", "--satin", folder.toString())).isZero();
        assertThat(out.toString())
                .contains("rewritten org.ibidem.apps.fib.Fib: 3 calls are spawned")
                .contains("1 rewritten");
        assertThat(ibidem("rewrite", "--satin", folder.toString())).isZero();
        assertThat(out.toString()).contains("0 rewritten");
        assertThat(ibidem("rewrite", "--satin", folder.resolve("none.jar").toString()))
                .isEqualTo(1);
        assertThat(err.toString()).contains("none.jar", "there is no such file");
    }

    /// As programs of `java.rmi` are.
    static final class Hello implements java.rmi.Remote {
        static java.rmi.Remote export(Hello hello) throws java.rmi.RemoteException {
            return java.rmi.server.UnicastRemoteObject.exportObject(hello, 0);
        }

        static Object without() {
            return java.rmi.server.RMISocketFactory.getSocketFactory();
        }
    }

    @Test
    void has_remote_calls_be_ours_and_says_what_stays() throws Exception {
        var hello = copy(Hello.class);
        copy(Pair.class);
        assertThat(ibidem("rewrite", "--rmi", folder.toString())).isZero();
        assertThat(out.toString())
                .contains("rewritten " + Hello.class.getName())
                .contains("it uses java.rmi.server.RMISocketFactory")
                .contains("1 rewritten")
                .doesNotContain(Pair.class.getName());
        var rewritten = Files.readAllBytes(hello);
        assertThat(ibidem("rewrite", "--rmi", folder.toString())).isZero();
        assertThat(out.toString()).contains("0 rewritten");
        assertThat(Files.readAllBytes(hello)).isEqualTo(rewritten);
        assertThat(ibidem("rewrite", "--rmi", "--satin", folder.toString())).isEqualTo(2);
    }

    @Test
    void knows_the_jars_of_a_star() throws Exception {
        var library = Files.createDirectories(folder.resolve("library"));
        var lib = Files.createDirectories(folder.resolve("lib"));
        var program = Files.createDirectories(folder.resolve("program"));
        compile(library, "public class Base implements java.io.Serializable { int x; }");
        compile(program, "class Derived extends Base { int y; }", "-cp", library.toString());
        var jar = lib.resolve("base.jar").toString();
        tool("jar", "-c", "-f", jar, "-C", library.toString(), "Base.class");
        assertThat(ibidem("rewrite", jar)).isZero();
        assertThat(ibidem("rewrite", program.toString())).isZero();
        assertThat(out.toString()).doesNotContain("Derived");
        var known = lib + "/*";
        assertThat(ibidem("rewrite", "--class-path", known, program.toString())).isZero();
        assertThat(out.toString()).contains("rewritten Derived");
    }

    private static void tool(String name, String... arguments) {
        assertThat(
                        ToolProvider.findFirst(name)
                                .orElseThrow()
                                .run(System.out, System.err, arguments))
                .isZero();
    }

    private static void compile(Path to, String text, String... options) throws Exception {
        var name = text.replaceFirst(".*class (\\w+) .*", "$1") + ".java";
        var source = Files.writeString(to.resolve(name), text).toString();
        var arguments = new ArrayList<>(List.of("-d", to.toString(), source));
        arguments.addAll(List.of(options));
        tool("javac", arguments.toArray(String[]::new));
    }

    @Test
    void says_that_a_place_is_not_there() {
        assertThat(ibidem("rewrite", folder.resolve("none.jar").toString())).isEqualTo(1);
        assertThat(err.toString()).contains("none.jar", "there is no such file");
    }
}
