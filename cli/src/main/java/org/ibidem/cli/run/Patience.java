package org.ibidem.cli.run;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.ibidem.config.Limit;
import org.ibidem.config.Settings;

/// How long the processes of a job may take to join: many JVMs that start at once on one machine
/// take longer than one, and nobody is helped where they give up early.
final class Patience {
    private static final Duration LONGER = Duration.ofMinutes(1);

    private Patience() {}

    /// What the user has set, else a minute.
    static Duration of(Limit limit) {
        var settings = Settings.system();
        return settings.given(limit.setting()).isPresent() ? limit.of(settings) : LONGER;
    }

    /// What each process is told of it.
    static List<String> options() {
        return Stream.of(Limit.JOIN, Limit.HANDSHAKE)
                .map(limit -> "-D" + limit.setting() + "=" + of(limit).toMillis() + "ms")
                .toList();
    }
}
