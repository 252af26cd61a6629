package org.ibidem.arbitration;

import org.ibidem.config.Settings;
import org.jspecify.annotations.Nullable;

/// Which way to wait was chosen here, or else above: for a port, or else for its node. May be
/// changed by any thread at any time; who waits follows at its next look.
public final class WaitChoice {
    private final @Nullable WaitChoice above;
    private volatile @Nullable WaitPolicy here;

    /// The outermost choice.
    public WaitChoice(WaitPolicy policy) {
        this.above = null;
        this.here = policy;
    }

    /// What holds where nobody chose: the setting `ibidem.wait` (`IBIDEM_WAIT` in the environment),
    /// which is `adaptive`, `yield`, `sleep`, `spin`, or a fixed spin such as `20us`.
    ///
    /// @throws org.ibidem.config.SettingException when it is set to something else
    public static WaitChoice usual() {
        var text =
                Settings.system()
                        .value(
                                "ibidem.wait",
                                "adaptive",
                                value -> {
                                    WaitPolicy.parse(value);
                                    return value;
                                });
        return new WaitChoice(WaitPolicy.parse(text));
    }

    private WaitChoice(@Nullable WaitChoice above, @Nullable WaitPolicy here) {
        this.above = above;
        this.here = here;
    }

    /// A choice below this one.
    ///
    /// @param policy null: as above
    public WaitChoice below(@Nullable WaitPolicy policy) {
        return new WaitChoice(this, policy);
    }

    /// Chooses.
    ///
    /// @param policy null: as above; the outermost choice keeps its own then
    public void choose(@Nullable WaitPolicy policy) {
        if (policy != null || above != null) {
            here = policy;
        }
    }

    /// What holds now.
    public WaitPolicy get() {
        var mine = here;
        if (mine != null) {
            return mine;
        }
        return above == null ? WaitPolicy.ADAPTIVE : above.get();
    }
}
