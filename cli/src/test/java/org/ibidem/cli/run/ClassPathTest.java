package org.ibidem.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A class path as the `java` command takes it.
class ClassPathTest {
    @TempDir Path folder;

    @BeforeEach
    void fill() throws IOException {
        Files.createDirectories(folder.resolve("deep"));
        Files.writeString(folder.resolve("read.me"), "text");
        jar("b.jar", "", false, "B.class");
        jar("a.JAR", "", false, "A.class");
        jar("deep/c.jar", "", false, "C.class");
    }

    private Path jar(String name, String classPath, boolean versions, String... files)
            throws IOException {
        var manifest = new Manifest();
        var main = manifest.getMainAttributes();
        main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        main.put(Attributes.Name.CLASS_PATH, classPath);
        main.put(Attributes.Name.MULTI_RELEASE, String.valueOf(versions));
        var place = folder.resolve(name);
        try (var jar = new JarOutputStream(Files.newOutputStream(place), manifest)) {
            for (var file : files) {
                jar.putNextEntry(new ZipEntry(file));
            }
        }
        return place;
    }

    private static ClassPath path(Object... entries) {
        return ClassPath.parse(
                String.join(
                        File.pathSeparator,
                        List.of(entries).stream().map(Object::toString).toList()));
    }

    @Test
    void a_star_is_all_jars_of_a_folder_and_of_none_below() {
        var jars = List.of(folder.resolve("a.JAR"), folder.resolve("b.jar"));
        assertThat(path(folder + "/*").places()).isEqualTo(jars);
        assertThat(path(folder + "/*").text()).isEqualTo(path(jars.toArray()).text());
    }

    @Test
    void a_star_without_jars_and_one_in_a_name_are_names_of_files() throws IOException {
        var empty = Files.createDirectories(folder.resolve("empty"));
        for (var entry : List.of(empty + "/*", folder + "/b*", folder + "/gone/*")) {
            assertThat(path(entry).text()).isEqualTo(entry);
            assertThat(path(entry).places()).isEmpty();
        }
        var starred = Files.createDirectories(empty.resolve("*"));
        assertThat(path(starred).places()).containsExactly(starred);
    }

    @Test
    void an_empty_entry_is_the_current_folder() {
        var current = Path.of(".");
        assertThat(path("", folder).places()).containsExactly(current, folder);
        assertThat(path(folder, "").places()).containsExactly(folder, current);
        assertThat(ClassPath.parse("").places()).isEmpty();
    }

    @Test
    void what_is_not_there_or_no_jar_is_left_out() {
        assertThat(path(folder + "/gone.jar", folder + "/gone", folder + "/read.me").places())
                .isEmpty();
    }

    @Test
    void a_manifest_names_more_relative_to_its_jar_and_each_counts_once() throws IOException {
        var spaced = Files.createDirectories(folder.resolve("with space"));
        jar("with space/d.jar", "../deep/c.jar ../first.jar", false);
        var first =
                jar(
                        "first.jar",
                        "with%20space/d.jar with%20space/ deep gone.jar http://x.invalid/e.jar b.jar",
                        false);
        var b = folder.resolve("b.jar");
        assertThat(path(first, b, folder.resolve("a.JAR")).places().stream().map(Path::normalize))
                .containsExactly(
                        first,
                        spaced.resolve("d.jar"),
                        folder.resolve("deep/c.jar"),
                        spaced,
                        b,
                        folder.resolve("a.JAR"));
    }

    @Test
    void a_file_is_found_in_the_first_place_that_has_it() throws IOException {
        var versions = jar("v.jar", "", true, "META-INF/versions/25/p/V.class", "B.class");
        Files.createFile(folder.resolve("B.class"));
        var path = path(folder.resolve("deep"), folder + "/*", folder);
        assertThat(path.place("B.class")).contains(folder.resolve("b.jar"));
        assertThat(path.place("p/V.class")).contains(versions);
        assertThat(path.place("C.class")).isEmpty();
    }
}
