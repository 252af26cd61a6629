package org.ibidem.config;

import java.io.IOException;
import java.io.StringReader;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What is set from outside: the only reader of system properties and of the environment.
///
/// A setting `ibidem.x.y` is looked for in this order: the system property of that name; the
/// environment variable `IBIDEM_X_Y`; the configuration file; then it is what the program says, or
/// its default (of `ibidem.wait`: first what the program says). The file is the one that
/// `ibidem.config` (`IBIDEM_CONFIG`) names, else `.ibidem/config.properties` in the user's home,
/// where there is one; it is a file of Java properties. Values are written as in the stack
/// notation: `8k`, `10ms`, `true`.
public final class Settings {
    private static final System.Logger LOG = System.getLogger(Settings.class.getName());
    private static final Set<String> TOLD = ConcurrentHashMap.newKeySet();
    private static final String FILE = "ibidem.config";
    private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");
    private static final Path USUAL_FILE = Path.of(".ibidem", "config.properties");

    private final List<Source> sources;

    /// Somewhere settings come from.
    private interface Source {
        @Nullable String get(String name);

        /// Where this setting stands there, for people.
        String place(String name);

        /// What is set there.
        Set<String> names();

        /// What is set there under a name like those of settings, and is none, as it is written
        /// there, with the name a setting would have.
        default Map<String, String> strangers() {
            return names().stream()
                    .filter(name -> name.startsWith(Setting.PREFIX) && !Setting.isKnown(name))
                    .collect(Collectors.toMap(this::place, UnaryOperator.identity()));
        }
    }

    private interface Lookup {
        @Nullable String get(String name);
    }

    private record Property(Lookup read, Supplier<Set<String>> all) implements Source {
        @Override
        public @Nullable String get(String name) {
            return read.get(name);
        }

        @Override
        public String place(String name) {
            return "system property " + name;
        }

        @Override
        public Set<String> names() {
            return all.get();
        }
    }

    private record Variable(Lookup read, Supplier<Set<String>> all) implements Source {
        @Override
        public @Nullable String get(String name) {
            return read.get(variable(name));
        }

        @Override
        public String place(String name) {
            return "environment variable " + variable(name);
        }

        /// A variable does not tell which of its strokes were dots: the first, and the second of
        /// settings that have one of their own for each name.
        @Override
        public Set<String> names() {
            return all.get().stream()
                    .filter(name -> name.startsWith("IBIDEM_"))
                    .map(name -> name.toLowerCase(Locale.ROOT).replaceFirst("_", "."))
                    .map(name -> Setting.isKnown(name) ? name : dotted(name))
                    .collect(Collectors.toSet());
        }

        private static String dotted(String name) {
            var dotted = name.replaceFirst("_", ".");
            return Setting.isKnown(dotted) ? dotted : name;
        }
    }

    /// @param path where it lies
    /// @param lines as they are written
    /// @param values what they set
    private record File(Path path, List<String> lines, Properties values) implements Source {
        @Override
        public @Nullable String get(String name) {
            return values.getProperty(name);
        }

        @Override
        public String place(String name) {
            return line(lines, name) + " of " + path;
        }

        @Override
        public Set<String> names() {
            return values.stringPropertyNames();
        }
    }

    /// A setting that somebody set.
    ///
    /// @param name its name
    /// @param value as text
    /// @param place where it is set, for people
    public record Given(String name, String value, String place) {}

    private Settings(List<Source> sources) {
        this.sources = sources;
    }

    /// The settings of this JVM.
    ///
    /// @throws SettingException when the configuration file is not there, cannot be read, or sets
    ///   what does not exist
    public static Settings system() {
        return of(
                new Property(
                        System::getProperty, () -> System.getProperties().stringPropertyNames()),
                new Variable(System::getenv, () -> System.getenv().keySet()),
                System.getProperty("user.home", ""));
    }

    /// Settings given here, and none from outside.
    ///
    /// @param properties by name, such as `ibidem.hub`
    /// @param environment by variable, such as `IBIDEM_HUB`
    public static Settings of(Map<String, String> properties, Map<String, String> environment) {
        return of(
                new Property(properties::get, properties::keySet),
                new Variable(environment::get, environment::keySet),
                "");
    }

    /// Settings given here by name, and none from outside.
    public static Settings of(Map<String, String> properties) {
        return of(properties, Map.of());
    }

    private static Settings of(Property property, Variable variable, String home) {
        var before = new Settings(List.of(property, variable));
        var named = before.given(FILE);
        if (named.isPresent()) {
            return new Settings(List.of(property, variable, file(named.get())));
        }
        var usual = Path.of(home).resolve(USUAL_FILE);
        return home.isEmpty() || !Files.exists(usual)
                ? before
                : new Settings(List.of(property, variable, read(usual, usual.toString())));
    }

    private static File file(Given named) {
        return read(Path.of(named.value()), named.value() + " (named by " + named.place() + ")");
    }

    private static File read(Path path, String called) {
        var values = new Properties();
        List<String> lines;
        try {
            lines = Files.readAllLines(path);
            values.load(new StringReader(String.join("\n", lines)));
        } catch (NoSuchFileException e) {
            throw new SettingException("there is no configuration file " + called);
        } catch (IOException | IllegalArgumentException e) {
            throw new SettingException(
                    "the configuration file " + called + " cannot be read: " + e);
        }
        for (var name : values.stringPropertyNames()) {
            if (Setting.of(name).isEmpty()) {
                throw new SettingException(
                        "the configuration file "
                                + called
                                + " sets "
                                + name
                                + " ("
                                + line(lines, name)
                                + "), which there is not"
                                + Setting.nearest(name)
                                        .map(near -> "; did you mean " + near + "?")
                                        .orElse(""));
            }
        }
        return new File(path, lines, values);
    }

    /// The line, from 1, that sets this last.
    private static String line(List<String> lines, String name) {
        var sets = Pattern.compile("\\s*" + Pattern.quote(name) + "([\\s=:].*)?");
        int line = lines.size();
        while (line > 0 && !sets.matcher(lines.get(line - 1)).matches()) {
            line--;
        }
        return line > 0 ? "line " + line : "a line"; // its name may be written with escapes
    }

    /// This user's folder for files that need not outlive a boot, in memory where that can be: the
    /// kernel stops who writes to a mapped file while it goes to a disk. Perhaps not there yet.
    public static Path temporary() {
        var memory = Path.of("/dev/shm");
        var folder =
                Files.isDirectory(memory)
                        ? memory
                        : Path.of(System.getProperty("java.io.tmpdir", "/tmp"));
        return folder.resolve(".ibidem-" + System.getProperty("user.name", "unknown"));
    }

    /// What this machine calls itself, by its own record: no name server is asked, which may be
    /// silent, or not know it.
    public static String hostName() {
        try {
            return Files.readString(HOST_NAME).strip();
        } catch (IOException _) {
            return system().environment("HOSTNAME").orElse("localhost");
        }
    }

    /// The environment variable that stands for a setting.
    public static String variable(String name) {
        return name.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
    }

    /// What a setting is set to and where, where it is set.
    public Optional<Given> given(String name) {
        for (var source : sources) {
            var value = source.get(name);
            if (value != null) {
                return Optional.of(new Given(name, value, source.place(name)));
            }
        }
        return Optional.empty();
    }

    /// What a setting is set to, as text.
    public Optional<String> text(String name) {
        return given(name).map(Given::value);
    }

    /// The configuration file in use.
    public Optional<Path> file() {
        return sources.stream()
                .filter(File.class::isInstance)
                .map(source -> ((File) source).path())
                .findAny();
    }

    /// What is set in properties and in the environment under names like those of settings, and is
    /// none: in a file that is refused. Each says where it stands, and which setting it may mean.
    public List<String> strangers() {
        return sources.stream()
                .flatMap(source ->
                        source.strangers().entrySet().stream()
                                .map(set -> stranger(source, set.getKey(), set.getValue())))
                .sorted()
                .toList();
    }

    private static String stranger(Source source, String place, String name) {
        return "the "
                + place
                + " is no setting"
                + Setting.nearest(name)
                        .map(near -> "; did you mean the " + source.place(near) + "?")
                        .orElse(" (ibidem explain config lists them)");
    }

    /// Says so, once in this process of each.
    public void warnOfStrangers() {
        strangers().stream().filter(TOLD::add).forEach(text -> LOG.log(Level.WARNING, text));
    }

    /// What is set of those whose names begin so, wherever that is.
    public List<Given> under(String prefix) {
        return sources.stream()
                .flatMap(source -> source.names().stream())
                .filter(name -> name.startsWith(prefix))
                .distinct()
                .sorted()
                .flatMap(name -> given(name).stream())
                .toList();
    }

    /// A system property of exactly this name, one that is not ours.
    public Optional<String> property(String name) {
        return sources.stream()
                .flatMap(source ->
                        source instanceof Property set ? nonBlank(set.read, name) : Stream.empty())
                .findFirst();
    }

    /// An environment variable of exactly this name, or of the same in small letters: one that is
    /// not ours.
    public Optional<String> environment(String name) {
        return sources.stream()
                .flatMap(source ->
                        source instanceof Variable set
                                ? Stream.concat(
                                        nonBlank(set.read, name),
                                        nonBlank(set.read, name.toLowerCase(Locale.ROOT)))
                                : Stream.empty())
                .findFirst();
    }

    private static Stream<String> nonBlank(Lookup from, String name) {
        var value = from.get(name);
        return value == null || value.isBlank() ? Stream.empty() : Stream.of(value);
    }

    /// What a setting is set to, or `byDefault`, which also tells its type: Integer, Long, Double,
    /// Boolean, Duration, String or an enum.
    ///
    /// @throws SettingException when it is set to something else
    public <T> T value(String name, T byDefault) {
        return value(name, byDefault, UnaryOperator.identity());
    }

    /// As [#value(String, Object)], with a check that throws an [IllegalArgumentException] saying
    /// what would do.
    ///
    /// @param checked answers what it was given
    public <T> T value(String name, T byDefault, UnaryOperator<T> checked) {
        var given = given(name);
        if (given.isEmpty()) {
            return byDefault;
        }
        var type = type(byDefault);
        try {
            @SuppressWarnings("unchecked") // Kind reads the default's own type
            T value = (T) Kind.of(type).read(given.get().value(), type);
            return checked.apply(value);
        } catch (IllegalArgumentException e) {
            throw wrong(given.get(), String.valueOf(e.getMessage()));
        }
    }

    /// What a part of a setting says.
    ///
    /// @param like tells the type, as in [#value(String, Object)]
    /// @throws IllegalArgumentException when it is none; says what would do
    public static <T> T read(String text, T like) {
        var type = type(like);
        @SuppressWarnings("unchecked") // Kind reads the type of what it is to be like
        T value = (T) Kind.of(type).read(text, type);
        return value;
    }

    /// Says that a setting is wrong, and where it was set.
    public static SettingException wrong(Given given, String why) {
        return new SettingException(
                given.name()
                        + " (set by "
                        + given.place()
                        + " to '"
                        + given.value()
                        + "'): "
                        + why);
    }

    private static Class<?> type(Object value) {
        return switch (value) {
            case Integer _ -> int.class;
            case Long _ -> long.class;
            case Double _ -> double.class;
            case Boolean _ -> boolean.class;
            case Enum<?> constant -> constant.getDeclaringClass();
            default -> value.getClass();
        };
    }
}
