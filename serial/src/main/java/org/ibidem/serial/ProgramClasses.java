package org.ibidem.serial;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.ZipFile;
import org.ibidem.config.Settings;

/// The classes of a program itself, as opposed to those of its libraries: those in the folder or
/// jar of its main class. Processes that run one user's program let them in, as each has them
/// anyway; of the rest of the class path only what the user names.
public final class ProgramClasses {
    private static final String CLASS = ".class";
    private static final String EVERYTHING = "**";

    /// What comes from others becomes a file name: with a slash in it, or an empty part, it would
    /// lead out of the folder.
    private static final Pattern NAME = Pattern.compile("[^./\\\\:]+([.][^./\\\\:]+)*");

    private ProgramClasses() {}

    /// Whether a class is one of a folder or a jar, by its name.
    ///
    /// @param setting that names the place, for the error
    /// @throws IllegalArgumentException when it is neither, or cannot be read
    public static Predicate<String> in(Path place, String setting) {
        if (Files.isDirectory(place)) {
            return name -> NAME.matcher(name).matches() && isFile(place, name);
        }
        try {
            return names(place)::contains;
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    setting + " is a folder or a jar; cannot read " + place + ": " + e, e);
        }
    }

    private static boolean isFile(Path folder, String name) {
        try {
            return Files.isRegularFile(folder.resolve(name.replace('.', '/') + CLASS));
        } catch (InvalidPathException _) {
            return false; // no class is called so
        }
    }

    private static Set<String> names(Path jar) throws IOException {
        try (var file =
                new JarFile(jar.toFile(), true, ZipFile.OPEN_READ, JarFile.runtimeVersion())) {
            return file.versionedStream()
                    .map(entry -> entry.getName())
                    .filter(name -> name.endsWith(CLASS))
                    .map(name ->
                            name.substring(0, name.length() - CLASS.length()).replace('/', '.'))
                    .collect(Collectors.toUnmodifiableSet());
        }
    }

    /// Whether a class is the program's own. Its place is what the launcher has set; otherwise that
    /// of the first method that was called on this thread, which is `main` where a program begins.
    ///
    /// @param setting that names the place
    public static Predicate<String> own(Settings settings, String setting) {
        return settings.text(setting)
                .filter(place -> !place.isBlank())
                .map(Path::of)
                .or(ProgramClasses::placeOfMain)
                .map(place -> in(place, setting))
                .orElse(_ -> false);
    }

    private static Optional<Path> placeOfMain() {
        return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                .walk(frames ->
                        frames.map(frame -> frame.getDeclaringClass().getProtectionDomain())
                                .map(domain -> domain.getCodeSource())
                                .filter(Objects::nonNull)
                                .flatMap(source -> place(source).stream())
                                .reduce((_, outer) -> outer));
    }

    private static Optional<Path> place(CodeSource source) {
        var location = source.getLocation();
        try {
            return location != null && "file".equals(location.getProtocol())
                    ? Optional.of(Path.of(location.toURI()))
                    : Optional.empty(); // of the JDK
        } catch (URISyntaxException | IllegalArgumentException _) {
            return Optional.empty(); // of a class loader with names of its own
        }
    }

    /// A policy that also lets in what a user names: classes and packages as
    /// [ObjectPolicy#allow(String)] takes them, with commas or spaces between; `**` for everything.
    ///
    /// @throws IllegalArgumentException when one of them is no such name
    public static ObjectPolicy allow(ObjectPolicy policy, String patterns) {
        for (var pattern : patterns.split("[,\\s]+", -1)) {
            if (pattern.equals(EVERYTHING)) {
                policy = policy.unsafelyAllowEverything();
            } else if (!pattern.isEmpty()) {
                policy = policy.allow(pattern);
            }
        }
        return policy;
    }
}
