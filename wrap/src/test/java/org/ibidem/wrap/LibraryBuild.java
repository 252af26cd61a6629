package org.ibidem.wrap;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The library of C as `shim/make.sh` builds it in a folder, and programs that are built with it.
///
/// @param folder where it lies
/// @param compiler by which all of it is compiled
record LibraryBuild(Path folder, String compiler) {
    /// Builds it without a warning; skips the test where the machine lacks what that takes.
    static LibraryBuild make(Path folder, String compiler) throws Exception {
        requireOpenSsl();
        Wrapped.require(compiler, "objcopy");
        var make = Path.of("..", "shim", "make.sh").toString();
        var builder = new ProcessBuilder("sh", make, folder.toString());
        builder.environment().put("CC", compiler + " -Werror");
        Wrapped.assertEnds(builder.inheritIO().start());
        return new LibraryBuild(folder.toRealPath(), compiler);
    }

    /// A program of the tests' resources and the library's sources, with all that a compiler can
    /// watch.
    static Path watched(Path folder, String name) throws IOException, InterruptedException {
        var program = folder.resolve(name);
        var command = new ArrayList<>(List.of("cc", "-std=gnu17", "-O1", "-g", "-Wall", "-Wextra"));
        command.addAll(List.of("-Werror", "-fsanitize=address,undefined", "-I../shim", "-o"));
        command.add(program.toString());
        command.add(Wrapped.script(folder, name + ".c").toString());
        command.addAll(sources());
        command.addAll(List.of("-lcrypto", "-lpthread"));
        Wrapped.assertEnds(new ProcessBuilder(command).inheritIO().start());
        return program;
    }

    static List<String> sources() throws IOException {
        try (var sources = Files.list(Path.of("..", "shim", "client"))) {
            return sources.map(Path::toString).filter(each -> each.endsWith(".c")).toList();
        }
    }

    static void requireOpenSsl() {
        assumeTrue(
                Files.exists(Path.of("/usr/include/openssl/ecdsa.h")),
                "there is no OpenSSL to build with: apt-get install libssl-dev");
    }

    /// A program of the tests' resources, without a warning.
    ///
    /// @param flags after its source: what it is linked with
    Path program(String name, List<String> flags) throws Exception {
        var program = Files.createTempFile(folder, name, "");
        var source = Wrapped.script(folder, name + ".c").toString();
        var command = new ArrayList<>(List.of(compiler, "-std=gnu17", "-Wall", "-Wextra"));
        command.addAll(List.of("-Werror", "-o", program.toString(), source));
        command.addAll(flags);
        Wrapped.assertEnds(new ProcessBuilder(command).inheritIO().start());
        return program;
    }

    /// The flags with which a program finds the shared form.
    List<String> shared() {
        return List.of("-I" + folder, "-L" + folder, "-Wl,-rpath," + folder, "-libidem");
    }

    /// Those that put the static form into it.
    List<String> linkedIn() {
        var archive = folder.resolve("libibidem.a").toString();
        return List.of("-I" + folder, archive, "-lcrypto", "-lpthread");
    }

    /// What a command prints that must not fail.
    static String said(String... command) throws IOException, InterruptedException {
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var said = Wrapped.output(process);
        if (process.exitValue() != 0) {
            throw new AssertionError(String.join(" ", command) + ": " + said);
        }
        return said;
    }
}
