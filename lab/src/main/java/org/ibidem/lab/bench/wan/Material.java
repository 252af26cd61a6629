package org.ibidem.lab.bench.wan;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Random;
import java.util.zip.ZipFile;

/// What is sent.
enum Material {
    /// The sources of `java.base`, or where the JDK comes without, those of this project.
    TEXT {
        @Override
        byte[] make() throws IOException {
            var zip = Path.of(System.getProperty("java.home"), "lib", "src.zip");
            return Files.exists(zip) ? ofJdk(zip) : ofProject();
        }
    },
    /// Bytes that nothing makes smaller.
    RANDOM {
        @Override
        byte[] make() {
            var bytes = new byte[MOST];
            new Random(1).nextBytes(bytes);
            return bytes;
        }
    };

    private static final int MOST = 48 << 20;

    /// So much, to be sent again and again.
    abstract byte[] make() throws IOException;

    private static byte[] ofJdk(Path zip) throws IOException {
        var all = new ByteArrayOutputStream(MOST);
        try (var files = new ZipFile(zip.toFile())) {
            for (var entry :
                    files.stream().filter(it -> it.getName().startsWith("java.base/")).toList()) {
                if (all.size() < MOST) {
                    all.write(files.getInputStream(entry).readAllBytes());
                }
            }
        }
        return all.toByteArray();
    }

    private static byte[] ofProject() throws IOException {
        var all = new ByteArrayOutputStream(MOST);
        Files.walkFileTree(
                Path.of(""),
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        if (file.toString().endsWith(".java") && all.size() < MOST) {
                            all.write(Files.readAllBytes(file));
                        }
                        return FileVisitResult.CONTINUE;
                    }
                });
        return all.toByteArray();
    }
}
