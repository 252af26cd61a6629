package org.ibidem.wrap;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The library of C by several compilers and libraries of C, without a warning; programs of each
/// exchange messages with a node of Java.
@Timeout(120)
@EnabledOnOs(OS.LINUX)
@Tag("slow")
class LibraryCompilersTest {
    @TempDir private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"gcc", "clang"})
    void both_forms_work_by_each_compiler(String compiler) throws Exception {
        var library = LibraryBuild.make(folder, compiler);
        for (var flags : List.of(library.shared(), library.linkedIn())) {
            LibraryInterfaceTest.exchangeStrings(library.program("grows", flags));
        }
    }

    /// With OpenSSL's archive for glibc, as there is none for musl here.
    @Test
    void a_static_program_works_with_musl() throws Exception {
        Wrapped.require("cc", "musl-gcc");
        LibraryBuild.requireOpenSsl();
        var crypto = Path.of(LibraryBuild.said("cc", "-print-file-name=libcrypto.a"));
        assumeTrue(Files.isRegularFile(crypto), "there is no libcrypto.a: './ibidem setup'");
        var headers = "/usr/include/" + LibraryBuild.said("cc", "-print-multiarch");
        var flags = new ArrayList<>(List.of("-static", "-I../shim", "-idirafter", "/usr/include"));
        flags.addAll(List.of("-idirafter", headers));
        flags.add(Wrapped.script(folder, "musl.c").toString());
        flags.addAll(LibraryBuild.sources());
        flags.add(crypto.toString());
        var musl = new LibraryBuild(folder, "musl-gcc");
        LibraryInterfaceTest.exchangeStrings(musl.program("grows", flags));
    }
}
