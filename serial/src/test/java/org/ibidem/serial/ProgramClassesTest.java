package org.ibidem.serial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.lang.foreign.MemorySegment;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.ibidem.config.Settings;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.opentest4j.TestAbortedException;

/// A program's own classes are those in the folder or jar of its main class.
class ProgramClassesTest {
    private static final String SETTING = "ibidem.rmi.own";
    private static final Settings NOTHING = Settings.of(Map.of());

    @TempDir Path folder;

    private Path classes() throws IOException {
        var place = Files.createDirectories(folder.resolve("classes/com/example"));
        Files.createFile(place.resolve("Order.class"));
        Files.createFile(folder.resolve("classes/Main.class"));
        Files.createFile(folder.resolve("Outside.class"));
        return folder.resolve("classes");
    }

    @Test
    void a_folder_has_its_classes_and_no_others() throws Exception {
        var own = ProgramClasses.in(classes(), SETTING);
        assertThat(own).accepts("Main", "com.example.Order");
        assertThat(own).rejects("Order", "com.example.Main", "com.example", "java.lang.Runtime");
    }

    /// What a peer calls a class never becomes a path out of the folder.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "../Outside",
                "com/../Main",
                "com/example/Order",
                "com\\example\\Order",
                ".Main",
                "com..example.Order",
                "Main.",
                "Ma\0in",
                ""
            })
    void a_name_that_is_none_leads_nowhere(String name) throws Exception {
        assertThat(ProgramClasses.in(classes(), SETTING)).rejects(name);
    }

    @Test
    void an_absolute_path_leads_nowhere() throws Exception {
        var own = ProgramClasses.in(classes(), SETTING);
        var outside = folder.resolve("Outside").toAbsolutePath().toString();
        assertThat(Files.exists(Path.of(outside + ".class"))).isTrue();
        assertThat(own).rejects(outside, outside.replace('/', '.'));
    }

    @Test
    void a_jar_has_its_classes_and_no_others() throws Exception {
        var jar = folder.resolve("program.jar");
        var uri = URI.create("jar:" + jar.toUri());
        try (var files = FileSystems.newFileSystem(uri, Map.of("create", "true"))) {
            Files.createDirectories(files.getPath("com/example"));
            Files.createFile(files.getPath("com/example/Order.class"));
            Files.createFile(files.getPath("com/example/words.txt"));
            Files.createDirectories(files.getPath("META-INF/versions/25/com/example"));
            Files.createFile(files.getPath("META-INF/versions/25/com/example/Newer.class"));
            Files.writeString(
                    files.getPath("META-INF/MANIFEST.MF"),
                    "Manifest-Version: 1.0\nMulti-Release: true\n");
        }
        var own = ProgramClasses.in(jar, SETTING);
        assertThat(own).accepts("com.example.Order", "com.example.Newer");
        assertThat(own)
                .rejects(
                        "com.example.words",
                        "com/example/Order",
                        "Main",
                        "META-INF.versions.25.com.example.Newer");
    }

    @Test
    void what_is_neither_is_refused_with_the_name_of_the_setting() throws Exception {
        var text = Files.writeString(folder.resolve("text"), "no jar");
        assertThatThrownBy(() -> ProgramClasses.in(text, SETTING))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(SETTING + " is a folder or a jar; cannot read " + text);
    }

    @Test
    void the_setting_names_the_place() throws Exception {
        var settings = Settings.of(Map.of(SETTING, classes().toString()));
        var own = ProgramClasses.own(settings, SETTING);
        assertThat(own).accepts("com.example.Order");
        assertThat(own).rejects(ProgramClassesTest.class.getName());
    }

    /// A program that no launcher has begun: the first method on its thread is that of its main
    /// class.
    @Test
    void without_it_the_place_is_that_of_the_first_method_of_the_thread() throws Exception {
        var main =
                new Thread(() -> {}) {
                    private boolean has;

                    @Override
                    public void run() {
                        has =
                                ProgramClasses.own(NOTHING, SETTING)
                                        .test("org.ibidem.serial.GarbageTest");
                    }
                };
        main.start();
        main.join();
        assertThat(main.has).isTrue();
    }

    private static @Nullable Object copy(Object graph, ObjectPolicy policy) throws Exception {
        var bytes = new ByteArrayOutputStream();
        try (var out = ObjectWriter.to(bytes)) {
            out.write(graph);
        }
        try (var in = ObjectReader.from(MemorySegment.ofArray(bytes.toByteArray()), policy)) {
            return in.read();
        }
    }

    @Test
    void what_is_refused_names_the_setting_that_lets_it_in() throws Exception {
        var name = TestAbortedException.class.getName();
        var policy =
                ObjectPolicy.NOTHING_BUT_VALUES
                        .allowWhere(ReviewedThrowables::has)
                        .setBy("ibidem.satin.allow");
        assertThatThrownBy(() -> copy(new TestAbortedException("x"), policy))
                .isInstanceOf(InvalidClassException.class)
                .hasMessage(
                        "%s; not allowed here; if it is wanted, let it in where it is read: --java=-Dibidem.satin.allow=%s",
                        name, name);
        var more = ProgramClasses.allow(policy, "com.example.*, org.opentest4j.**");
        assertThat(copy(new TestAbortedException("x"), more)).hasToString(name + ": x");
    }

    @Test
    void a_name_of_no_class_is_refused() {
        assertThatThrownBy(
                        () -> ProgramClasses.allow(ObjectPolicy.NOTHING_BUT_VALUES, "com.**.Order"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not 'com.**.Order'");
    }
}
