package org.ibidem.station;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.ibidem.identity.Identity;
import org.ibidem.task.Tasks;
import org.ibidem.trust.Trust;

/// Looks every now and then after what a node or hub shows in pools that have an authority: takes
/// certificates that were put in the place of those before, and warns of what is over soon, once of
/// each.
public final class CertificateWatch {
    private static final Logger LOG = System.getLogger(CertificateWatch.class.getName());
    private static final Duration OFTEN = Duration.ofSeconds(2);

    private final Trust trust;
    private final Tasks tasks;
    private final Set<String> said;

    private CertificateWatch(Trust trust, Tasks tasks) {
        this.trust = trust;
        this.tasks = tasks;
        this.said = new HashSet<>(trust.warnings()); // as Identity#trusting has said
    }

    /// Looks after it as long as these tasks run; where no pool has an authority there is nothing
    /// to look after.
    public static void keep(Identity identity, Tasks tasks) {
        if (!identity.trust().pools().isEmpty()) {
            new CertificateWatch(identity.trust(), tasks).later();
        }
    }

    private void later() {
        tasks.after(OFTEN, "look after certificates", this::look);
    }

    private void look() {
        try {
            trust.lookAgain().forEach(text -> LOG.log(Level.INFO, text));
            for (var warning : trust.warnings()) {
                if (said.add(warning)) {
                    LOG.log(Level.WARNING, warning);
                }
            }
        } finally {
            later();
        }
    }
}
