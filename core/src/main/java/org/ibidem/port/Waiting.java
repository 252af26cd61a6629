package org.ibidem.port;

import org.ibidem.arbitration.WaitPolicy;
import org.ibidem.config.Settings;

/// How ports wait where nobody said: by the setting `ibidem.wait` (`IBIDEM_WAIT` in the
/// environment), which is `adaptive`, `sleep` or `spin`.
final class Waiting {
    private static final String SETTING = "ibidem.wait";

    private Waiting() {}

    static WaitPolicy usual() {
        return WaitPolicy.parse(Settings.system().value(SETTING, "adaptive"));
    }
}
