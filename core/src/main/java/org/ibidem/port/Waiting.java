package org.ibidem.port;

import org.ibidem.arbitration.WaitPolicy;
import org.ibidem.config.Settings;
import org.jspecify.annotations.Nullable;

/// How ports wait where nobody said: by the setting `ibidem.wait` (`IBIDEM_WAIT` in the
/// environment), which is `adaptive`, `sleep`, `spin`, or a fixed spin such as `20us`.
final class Waiting {
    private static final String SETTING = "ibidem.wait";

    private Waiting() {}

    static WaitPolicy or(@Nullable WaitPolicy chosen) {
        return chosen != null
                ? chosen
                : WaitPolicy.parse(Settings.system().value(SETTING, "adaptive"));
    }
}
