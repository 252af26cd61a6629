package org.ibidem.cli.run;

import java.io.IOException;
import org.ibidem.trust.JobFile;

/// The file of a job's key, which is removed with the job, also where this process is interrupted.
/// What is left by one that was killed the next job of this user removes.
final class KeptKey implements AutoCloseable {
    private final JobFile file;
    private final Thread hook;

    /// From now on it is.
    KeptKey(JobFile file) {
        this.file = file;
        this.hook = Thread.ofPlatform().name("remove-key").unstarted(this::remove);
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /// The file.
    JobFile file() {
        return file;
    }

    private void remove() {
        try {
            file.delete();
        } catch (IOException e) {
            System.getLogger(KeptKey.class.getName())
                    .log(System.Logger.Level.DEBUG, "the job's key is left behind", e);
        }
    }

    @Override
    public void close() {
        remove();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException _) {
            // this process ends: the hook has run, or does
        }
    }
}
