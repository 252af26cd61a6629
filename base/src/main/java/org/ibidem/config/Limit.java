package org.ibidem.config;

import java.time.Duration;
import java.util.Locale;

/// How long things may take where the program does not say so itself. Each limit is a setting,
/// which is read whenever the limit is needed: a machine that is very busy needs longer ones.
public enum Limit {
    /// Joining a pool, all hubs together.
    JOIN(10, "the longest time for joining a pool, all hubs together"),
    /// Connecting to another node's port.
    CONNECT(20, "the longest time for connecting to a port, where the program sets none"),
    /// Closing a port, circuit or publisher.
    CLOSE(10, "the longest time for closing a port, where the program sets none"),
    /// The answer to a call of `messaging`.
    CALL(10, "the longest time for a call of messaging, where the program sets none"),
    /// The answer of a hub: elections, signals, places of members.
    HUB(10, "the longest time for an answer of a hub, where the program sets none"),
    /// The handshake of a new connection.
    HANDSHAKE(10, "the longest time for the handshake of a new connection"),
    /// The connection that a peer was asked to make.
    MEET(10, "the longest time in which a peer makes a connection that was agreed on");

    private final Duration byDefault;
    private final String meaning;

    Limit(int seconds, String meaning) {
        this.byDefault = Duration.ofSeconds(seconds);
        this.meaning = meaning;
    }

    /// The setting: such as `ibidem.limit.join`.
    public String setting() {
        return Setting.PREFIX + "limit." + name().toLowerCase(Locale.ROOT);
    }

    /// What is said of the setting.
    Setting told() {
        return new Setting(setting(), byDefault.toSeconds() + "s", meaning);
    }

    /// How long.
    ///
    /// @throws SettingException when the setting is no time above 0
    public Duration get() {
        return of(Settings.system());
    }

    /// The same of these settings.
    ///
    /// @throws SettingException when the setting is no time above 0
    public Duration of(Settings settings) {
        return settings.value(setting(), byDefault, Limit::positive);
    }

    private static Duration positive(Duration limit) {
        if (!limit.isPositive()) {
            throw new IllegalArgumentException("a limit is more than 0: 10s, 2min");
        }
        return limit;
    }
}
