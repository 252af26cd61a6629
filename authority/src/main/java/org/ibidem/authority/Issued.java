package org.ibidem.authority;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.cert.X509Certificate;
import java.util.List;

/// What an authority has issued, a line each: number, last day, name. It says whom to revoke where
/// the certificate itself is not at hand.
record Issued(Path file) {
    private static final int HEXADECIMAL = 16;
    private static final int PARTS = 3;

    void add(X509Certificate certificate, String name) throws IOException {
        var line =
                "%s %s %s\n"
                        .formatted(
                                certificate.getSerialNumber().toString(HEXADECIMAL),
                                certificate.getNotAfter().toInstant(),
                                name.replaceAll("\\R", " "));
        Files.writeString(
                file,
                line,
                StandardCharsets.UTF_8,
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    /// The numbers of all that were issued to this name.
    List<BigInteger> to(String name) throws IOException {
        try {
            return Files.readString(file, StandardCharsets.UTF_8)
                    .lines()
                    .map(line -> line.split(" ", PARTS))
                    .filter(parts -> parts.length == PARTS && parts[2].equals(name))
                    .map(parts -> new BigInteger(parts[0], HEXADECIMAL))
                    .toList();
        } catch (NoSuchFileException _) {
            return List.of();
        }
    }
}
