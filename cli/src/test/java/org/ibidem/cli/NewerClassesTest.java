package org.ibidem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.classfile.ClassFile;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Objects;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class NewerClassesTest {
    @TempDir Path folder;

    private Path picocli() throws Exception {
        var jar =
                Path.of(
                        CommandLine.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toURI());
        return Files.copy(jar, folder.resolve("picocli.jar"));
    }

    @Test
    void the_classes_of_picocli_are_newer_than_java_6_and_the_jvm_accepts_them() throws Exception {
        var jar = picocli();
        assertThat(NewerClasses.renew(jar)).isGreaterThan(100);
        var names = new ArrayList<String>();
        try (var file = new JarFile(jar.toFile())) {
            for (var entry :
                    file.stream().filter(e -> e.getName().startsWith("picocli/")).toList()) {
                if (entry.getName().endsWith(".class")) {
                    var model = ClassFile.of().parse(file.getInputStream(entry).readAllBytes());
                    assertThat(model.majorVersion())
                            .as(entry.getName())
                            .isGreaterThanOrEqualTo(ClassFile.JAVA_7_VERSION);
                    names.add(entry.getName().replace('/', '.').replaceFirst("\\.class$", ""));
                }
            }
        }
        try (var loader =
                new URLClassLoader(
                        new URL[] {jar.toUri().toURL()}, ClassLoader.getPlatformClassLoader())) {
            for (var name : names) {
                assertThat(Class.forName(name, true, loader).getClassLoader()).isEqualTo(loader);
            }
        }
        assertThat(NewerClasses.renew(jar)).as("nothing is left to do").isZero();
    }

    @Test
    void what_is_new_or_no_class_stays_byte_for_byte() throws Exception {
        var jar = folder.resolve("new.jar");
        byte[] own;
        try (var in = NewerClasses.class.getResourceAsStream("NewerClasses.class")) {
            own = Objects.requireNonNull(in).readAllBytes();
        }
        try (var out = new ZipOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new ZipEntry("NewerClasses.class"));
            out.write(own);
            out.putNextEntry(new ZipEntry("a.txt"));
            out.write('a');
        }
        var before = Files.readAllBytes(jar);
        assertThat(NewerClasses.renew(jar)).isZero();
        assertThat(jar).hasBinaryContent(before);
        assertThat(folder).isDirectoryNotContaining("glob:**.part");
    }
}
