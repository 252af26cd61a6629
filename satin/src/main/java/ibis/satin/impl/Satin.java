package ibis.satin.impl;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/// What programs ask of the system itself: whether there is one, and what [ibis.satin.SatinObject]
/// has as well. New programs use that.
public final class Satin {
    private static final Satin HERE = new Satin();

    private Satin() {}

    /// The system that the caller runs in; none in a program that runs by itself.
    public static @Nullable Satin getSatin() {
        return org.ibidem.satin.Satin.isWorker() ? HERE : null;
    }

    /// See [ibis.satin.SatinObject#pause].
    public static void pause() {
        org.ibidem.satin.Satin.pause();
    }

    /// See [ibis.satin.SatinObject#resume].
    public static void resume() {
        org.ibidem.satin.Satin.resume();
    }

    /// See [ibis.satin.SatinObject#needMoreJobs].
    public static boolean needMoreJobs() {
        return org.ibidem.satin.Satin.needMoreJobs();
    }

    /// See [ibis.satin.SatinObject#localJob].
    public static boolean localJob() {
        return org.ibidem.satin.Satin.localJob();
    }

    /// See [ibis.satin.SatinObject#deepCopy].
    ///
    /// @throws IllegalArgumentException when something in it cannot be copied
    public static Serializable deepCopy(Serializable o) {
        return org.ibidem.satin.Satin.deepCopy(o);
    }
}
