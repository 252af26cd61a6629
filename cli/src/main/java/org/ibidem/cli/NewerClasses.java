package org.ibidem.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.constant.ClassDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/// Writes the class files of jars anew as those of Java 8 where they are older than Java 7's. The
/// build does so with picocli, whose are Java 5's: the JVM takes such into no cache of linked
/// classes, and infers the types in their methods at each start instead of reading them.
///
/// Arguments: the jars. What cannot be written anew, or would not be accepted, stays as it is.
final class NewerClasses {
    private static final int OLDEST = ClassFile.JAVA_7_VERSION;
    private static final int WANTED = ClassFile.JAVA_8_VERSION;
    private static final int MAJOR_AT = 6;
    private static final String CLASS = ".class";

    private NewerClasses() {}

    public static void main(String[] jars) throws IOException {
        for (var jar : jars) {
            renew(Path.of(jar));
        }
    }

    /// Writes one jar anew, beside it and then in its place.
    ///
    /// @return how many classes are newer now
    static int renew(Path jar) throws IOException {
        var beside = jar.resolveSibling(jar.getFileName() + ".part");
        int newer;
        try {
            newer = copy(jar, beside);
            if (newer > 0) {
                Files.setLastModifiedTime(beside, Files.getLastModifiedTime(jar));
                Files.move(beside, jar, StandardCopyOption.REPLACE_EXISTING);
            }
        } finally {
            Files.deleteIfExists(beside);
        }
        return newer;
    }

    private static int copy(Path jar, Path to) throws IOException {
        int newer = 0;
        try (var from = new JarFile(jar.toFile(), false);
                var out = new ZipOutputStream(Files.newOutputStream(to))) {
            var types = ClassHierarchyResolver.ofResourceParsing(type -> open(from, type));
            var file =
                    ClassFile.of(
                            StackMapsOption.GENERATE_STACK_MAPS,
                            ClassHierarchyResolverOption.of(
                                    types.orElse(ClassHierarchyResolver.defaultResolver())));
            for (var entry : from.stream().toList()) {
                var bytes = from.getInputStream(entry).readAllBytes();
                if (entry.getName().endsWith(CLASS) && major(bytes) < OLDEST) {
                    var anew = anew(file, bytes);
                    newer += anew.length == 0 ? 0 : 1;
                    bytes = anew.length == 0 ? bytes : anew;
                }
                var copy = new ZipEntry(entry.getName());
                copy.setTime(entry.getTime());
                out.putNextEntry(copy);
                out.write(bytes);
            }
        }
        return newer;
    }

    private static int major(byte[] bytes) {
        return (bytes[MAJOR_AT] & 0xFF) << 8 | (bytes[MAJOR_AT + 1] & 0xFF);
    }

    /// Empty where that cannot be.
    private static byte[] anew(ClassFile file, byte[] bytes) {
        try {
            ClassTransform version =
                    (to, part) -> {
                        if (part instanceof ClassFileVersion) {
                            to.withVersion(WANTED, 0);
                        } else {
                            to.with(part);
                        }
                    };
            CodeTransform same = (to, part) -> to.with(part);
            var anew =
                    file.transformClass(
                            file.parse(bytes),
                            version.andThen(ClassTransform.transformingMethodBodies(same)));
            return file.verify(anew).isEmpty() ? anew : new byte[0];
        } catch (IllegalArgumentException _) { // it jumps to subroutines, or names what is not here
            return new byte[0];
        }
    }

    private static @Nullable InputStream open(JarFile jar, ClassDesc type) {
        var name = type.descriptorString();
        var entry = jar.getEntry(name.substring(1, name.length() - 1) + CLASS);
        try {
            return entry == null ? null : jar.getInputStream(entry);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
