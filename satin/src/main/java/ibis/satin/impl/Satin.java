package ibis.satin.impl;

import java.io.Serializable;
import org.ibidem.satin.host.Copy;
import org.ibidem.satin.host.Host;
import org.jspecify.annotations.Nullable;

/// What programs ask of the system itself: whether there is one, and what [ibis.satin.SatinObject]
/// has as well. New programs use that.
public final class Satin {
    private static final Satin HERE = new Satin();

    private Satin() {}

    /// The system that the caller runs in; none in a program that runs by itself.
    public static @Nullable Satin getSatin() {
        return Host.current() != null ? HERE : null;
    }

    /// See [ibis.satin.SatinObject#pause].
    public static void pause() {
        pause(true);
    }

    /// See [ibis.satin.SatinObject#resume].
    public static void resume() {
        pause(false);
    }

    private static void pause(boolean asksNobody) {
        var host = Host.current();
        if (host != null) {
            host.paused(asksNobody);
        }
    }

    /// See [ibis.satin.SatinObject#needMoreJobs]. False where no worker runs, as nobody steals
    /// there.
    public static boolean needMoreJobs() {
        var host = Host.current();
        return host != null && host.needsMoreJobs();
    }

    /// See [ibis.satin.SatinObject#localJob].
    public static boolean localJob() {
        var host = Host.current();
        return host == null || !host.isOnStolen();
    }

    /// See [ibis.satin.SatinObject#deepCopy].
    ///
    /// @throws IllegalArgumentException when something in it cannot be copied
    public static Serializable deepCopy(Serializable o) {
        var host = Host.current();
        return host == null ? Copy.of(o) : host.deepCopy(o);
    }
}
