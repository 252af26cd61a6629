package org.ibidem.satin.rewrite;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeModel;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// Methods that nobody wrote for a test: those of the JDK.
final class JdkMethods {
    private JdkMethods() {}

    /// The code of some classes of a package, always the same ones.
    static List<CodeModel> of(String folder, int classes) throws IOException {
        var jdk = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules", "java.base");
        try (Stream<Path> all = Files.list(jdk.resolve(folder))) {
            return all.filter(Files::isRegularFile)
                    .sorted()
                    .limit(classes)
                    .map(JdkMethods::bytes)
                    .flatMap(file -> ClassFile.of().parse(file).methods().stream())
                    .flatMap(method -> method.code().stream())
                    .toList();
        }
    }

    private static byte[] bytes(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
