package org.ibidem.cli.run;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.zip.ZipFile;

/// A class path as the `java` command takes it: folders and jars between path separators, of which
/// `FOLDER/*` is all `.jar` and `.JAR` files of a folder, and an empty one the current folder. What
/// is not there does not matter.
public final class ClassPath {
    private static final String ALL = "*";
    private static final String FILE = "file";

    private final List<String> entries = new ArrayList<>();

    private ClassPath() {}

    /// Reads one. Jars that one `*` stands for are sorted by their names.
    ///
    /// @param text `""`: nothing
    public static ClassPath parse(String text) {
        var path = new ClassPath();
        if (text.isEmpty()) {
            return path;
        }
        for (var entry : text.split(File.pathSeparator, -1)) {
            var jars = isWildcard(entry) ? jars(folder(entry)) : List.<String>of();
            if (jars.isEmpty()) {
                path.entries.add(entry.isEmpty() ? "." : entry);
            } else {
                path.entries.addAll(jars);
            }
        }
        return path;
    }

    private static boolean isWildcard(String entry) {
        var before = entry.isEmpty() ? "" : entry.substring(0, entry.length() - 1);
        return entry.endsWith(ALL)
                && (before.isEmpty() || before.endsWith("/") || before.endsWith(File.separator))
                && !new File(entry).exists(); // a Path with a * is refused on Windows
    }

    private static String folder(String wildcard) {
        return wildcard.substring(0, wildcard.length() - ALL.length());
    }

    private static List<String> jars(String folder) {
        var names = new File(folder.isEmpty() ? "." : folder).list();
        return names == null
                ? List.of()
                : List.of(names).stream()
                        .filter(name -> name.endsWith(".jar") || name.endsWith(".JAR"))
                        .filter(name -> !name.contains(File.pathSeparator))
                        .sorted()
                        .map(name -> folder + name)
                        .toList();
    }

    /// The same as text, with the jars that each `*` stands for.
    public String text() {
        return String.join(File.pathSeparator, entries);
    }

    /// The folders and jars where classes are looked for, in their order, each once: those that are
    /// there, and after each jar what its manifest names as `Class-Path`.
    ///
    /// @throws java.nio.file.InvalidPathException when an entry can be no file
    public List<Path> places() {
        var places = new LinkedHashSet<Path>();
        entries.forEach(entry -> add(Path.of(entry), places));
        return List.copyOf(places);
    }

    /// The first place that has this file.
    ///
    /// @param file with slashes; of a multi-release jar the one for this JVM
    public Optional<Path> place(String file) {
        return places().stream().filter(place -> has(place, file)).findFirst();
    }

    private static void add(Path place, Set<Path> places) {
        if (Files.isDirectory(place)) {
            places.add(place);
        } else if (Files.isRegularFile(place) && !places.contains(place)) {
            try (var jar = opened(place)) {
                places.add(place);
                var manifest = jar.getManifest();
                var more =
                        manifest == null
                                ? null
                                : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
                for (var each : more == null ? new String[0] : more.strip().split(" +", -1)) {
                    named(place, each).ifPresent(found -> add(found, places));
                }
            } catch (IOException _) {
                // No jar: the JVM leaves it out, too.
            }
        }
    }

    /// A place that a manifest names, relative to its jar. A folder ends in a slash there.
    private static Optional<Path> named(Path jar, String address) {
        try {
            var at = jar.toUri().resolve(new URI(address));
            return FILE.equals(at.getScheme()) && !address.isEmpty()
                    ? Optional.of(Path.of(URI.create(at.toASCIIString())))
                            .filter(found -> Files.isDirectory(found) == address.endsWith("/"))
                    : Optional.empty();
        } catch (URISyntaxException | IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private static JarFile opened(Path jar) throws IOException {
        return new JarFile(jar.toFile(), false, ZipFile.OPEN_READ, JarFile.runtimeVersion());
    }

    private static boolean has(Path place, String file) {
        if (Files.isDirectory(place)) {
            return Files.isRegularFile(place.resolve(file));
        }
        try (var jar = opened(place)) {
            return jar.getEntry(file) != null;
        } catch (IOException _) {
            return false;
        }
    }
}
