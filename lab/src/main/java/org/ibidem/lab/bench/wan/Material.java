package org.ibidem.lab.bench.wan;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Random;
import java.util.zip.ZipFile;

/// What is sent.
enum Material {
    /// The sources of `java.base`, or where the JDK comes without, those of this project.
    TEXT {
        @Override
        List<byte[]> make() throws IOException {
            return List.of(text());
        }
    },
    /// Bytes that nothing makes smaller.
    RANDOM {
        @Override
        List<byte[]> make() {
            return List.of(random());
        }
    },
    /// Text, then what is random, then doubles: a third of the time each.
    CHANGING {
        @Override
        List<byte[]> make() throws IOException {
            return List.of(text(), random(), doubles());
        }
    };

    private static final int MOST = 48 << 20;

    /// So much, to be sent again and again; of several kinds each for as long as the others.
    abstract List<byte[]> make() throws IOException;

    private static byte[] text() throws IOException {
        var zip = Path.of(System.getProperty("java.home"), "lib", "src.zip");
        return Files.exists(zip) ? ofJdk(zip) : ofProject();
    }

    private static byte[] random() {
        var bytes = new byte[MOST];
        new Random(1).nextBytes(bytes);
        return bytes;
    }

    /// A field that changes slowly from place to place, as a simulation writes it.
    private static byte[] doubles() {
        var bytes = ByteBuffer.allocate(MOST / 4).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; bytes.hasRemaining(); i++) {
            bytes.putDouble(Math.round(1e4 * Math.sin(i / 1000.0)) / 1e4);
        }
        return bytes.array();
    }

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
