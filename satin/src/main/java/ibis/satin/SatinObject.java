package ibis.satin;

import ibis.satin.impl.Satin;
import java.io.Serializable;

/// What objects extend whose methods spawn. In a program that is not rewritten [#sync] and [#abort]
/// do nothing, as there every call has ended when it returns.
public class SatinObject implements Serializable {
    private static final long serialVersionUID = 1;

    /// For those that extend it.
    protected SatinObject() {}

    /// Waits until all that this method has spawned has ended; results are there then.
    public void sync() {
        // The rewriter puts the waiting in the place of the call.
    }

    /// Gives up all that this method has spawned and that has not ended, and what that has spawned,
    /// in whichever process: it delivers nothing, and ends at its next spawn or sync.
    public void abort() {
        // As compiled there is never anything that has not ended.
    }

    /// Before a long sequential part: this process asks others for no work until [#resume].
    public static void pause() {
        Satin.pause();
    }

    /// After a long sequential part.
    public static void resume() {
        Satin.resume();
    }

    /// Whether others could do with more work than this process has to give. Where it is false, a
    /// method may as well go on sequentially.
    public static boolean needMoreJobs() {
        return Satin.needMoreJobs();
    }

    /// Whether what runs now was spawned in this process, and not stolen from another.
    public static boolean localJob() {
        return Satin.localJob();
    }

    /// A copy of an object and of all it refers to, as a stolen job gets it.
    ///
    /// @throws IllegalArgumentException when something in it cannot be copied
    public static Serializable deepCopy(Serializable o) {
        return Satin.deepCopy(o);
    }
}
