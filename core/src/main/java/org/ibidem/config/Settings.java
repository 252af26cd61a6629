package org.ibidem.config;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// What is set from outside: the only reader of system properties and of the environment.
///
/// A setting `ibidem.x.y` is the system property of that name, else the environment variable
/// `IBIDEM_X_Y`, else its default. Values are written as in the stack notation: `8k`, `10ms`,
/// `true`.
public final class Settings {
    private final Source properties;
    private final Source environment;

    /// Somewhere settings come from.
    @FunctionalInterface
    private interface Source {
        @Nullable String get(String name);
    }

    private Settings(Source properties, Source environment) {
        this.properties = properties;
        this.environment = environment;
    }

    /// The settings of this JVM.
    public static Settings system() {
        return new Settings(System::getProperty, System::getenv);
    }

    /// Settings given here, and none from outside.
    ///
    /// @param properties by name, such as `ibidem.hub`
    /// @param environment by variable, such as `IBIDEM_HUB`
    public static Settings of(Map<String, String> properties, Map<String, String> environment) {
        return new Settings(Map.copyOf(properties)::get, Map.copyOf(environment)::get);
    }

    /// Settings given here by name, and none from outside.
    public static Settings of(Map<String, String> properties) {
        return of(properties, Map.of());
    }

    /// The environment variable that stands for a setting.
    public static String variable(String name) {
        return name.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }

    /// What a setting is set to, as text.
    public Optional<String> text(String name) {
        var property = properties.get(name);
        return Optional.ofNullable(property != null ? property : environment.get(variable(name)));
    }

    /// A system property of exactly this name, one that is not ours.
    public Optional<String> property(String name) {
        return Optional.ofNullable(properties.get(name)).filter(value -> !value.isBlank());
    }

    /// An environment variable of exactly this name, or of the same in small letters: one that is
    /// not ours.
    public Optional<String> environment(String name) {
        for (var each : List.of(name, name.toLowerCase(Locale.ROOT))) {
            var value = environment.get(each);
            if (value != null && !value.isBlank()) {
                return Optional.of(value);
            }
        }
        return Optional.empty();
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
        var text = text(name);
        if (text.isEmpty()) {
            return byDefault;
        }
        var type = type(byDefault);
        try {
            @SuppressWarnings("unchecked") // Kind reads the default's own type
            T value = (T) Kind.of(type).read(text.get(), type);
            return checked.apply(value);
        } catch (IllegalArgumentException e) {
            throw new SettingException(
                    name
                            + " (set by "
                            + origin(name)
                            + " to '"
                            + text.get()
                            + "'): "
                            + e.getMessage());
        }
    }

    private String origin(String name) {
        return properties.get(name) != null
                ? "system property " + name
                : "environment variable " + variable(name);
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
