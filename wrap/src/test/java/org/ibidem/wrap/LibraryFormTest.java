package org.ibidem.wrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.ibidem.hub.Hub;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// What of the library of C programs and linkers see: its names, its version, its two forms.
@Timeout(120)
@EnabledOnOs(OS.LINUX)
@Tag("slow")
class LibraryFormTest {
    private static final Pattern FUNCTION = Pattern.compile("\\b(ibidem_\\w+)\\(");

    @TempDir private static Path folder;
    private static LibraryBuild library;

    @BeforeAll
    static void build() throws Exception {
        library = LibraryBuild.make(folder, "cc");
    }

    /// The functions that `ibidem.h` declares.
    private static Set<String> declared() throws Exception {
        var names = new TreeSet<String>();
        for (var line : Files.readAllLines(library.folder().resolve("ibidem.h"))) {
            var code = line.replaceFirst("//.*", "");
            FUNCTION.matcher(code).results().forEach(each -> names.add(each.group(1)));
        }
        return names;
    }

    private static Set<String> names(String... command) throws Exception {
        var names = new TreeSet<String>();
        for (var line : LibraryBuild.said(command).lines().toList()) {
            var words = line.split(" ", -1);
            if (words.length == 3 && !words[1].equals("A")) {
                names.add(words[2].replaceFirst("@.*", ""));
            }
        }
        return names;
    }

    @Test
    void both_forms_export_exactly_what_the_header_declares() throws Exception {
        Wrapped.require("nm");
        var shared = library.folder().resolve("libibidem.so").toString();
        var linked = library.folder().resolve("libibidem.a").toString();
        assertThat(declared()).hasSizeGreaterThan(20);
        assertThat(names("nm", "-D", "--defined-only", shared)).isEqualTo(declared());
        assertThat(names("nm", "-g", "--defined-only", linked)).isEqualTo(declared());
    }

    @Test
    void a_program_may_name_its_functions_like_those_inside() throws Exception {
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0))) {
            for (var flags : List.of(library.shared(), library.linkedIn())) {
                assertThat(run(library.program("own", flags), hub)).isEqualTo("rank 0 of 1");
            }
        }
    }

    @Test
    void pkg_config_says_how_a_program_is_built() throws Exception {
        Wrapped.require("pkg-config", "readelf");
        assertThat(asked("--modversion")).isEqualTo(version());
        var flags = List.of(asked("--cflags", "--libs").split(" ", -1));
        var program = library.program("hello", flags);
        assertThat(LibraryBuild.said("readelf", "-d", program.toString()))
                .contains("Shared library: [libibidem.so.0]");
        assertThat(asked("--libs", "--static")).contains("-lcrypto");
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0))) {
            assertThat(run(program, hub)).isEqualTo("rank 0 of 1");
        }
    }

    /// Of this project, without what stands after a hyphen.
    private static String version() throws Exception {
        var pom = Files.readString(Path.of("..", "pom.xml"));
        var version = Pattern.compile("<version>([0-9.]+)[^<]*</version>").matcher(pom);
        assertThat(version.find()).isTrue();
        return version.group(1);
    }

    private static String asked(String... options) throws Exception {
        var command = new ArrayList<>(List.of("pkg-config"));
        command.addAll(List.of(options));
        command.add(library.folder().resolve("ibidem.pc").toString());
        return LibraryBuild.said(command.toArray(new String[0]));
    }

    private static String run(Path program, Hub hub) throws Exception {
        return LibraryBuild.said(program.toString(), "localhost:" + hub.port());
    }
}
