package org.ibidem.lab.net.junit;

import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.plan.Plan;
import org.jspecify.annotations.Nullable;
import org.junit.platform.commons.support.ReflectionSupport;

/// The laboratory of the class before, for the next one of the same plan. It ends with this JVM at
/// the latest.
///
/// @param plan what it was built by
/// @param lab it
record Kept(Class<? extends Plan> plan, Lab lab) {
    private static @Nullable Kept idle;

    /// One that is nobody's: what is kept, or else a new one.
    static synchronized Kept take(Class<? extends Plan> plan) {
        var kept = idle;
        idle = null;
        if (kept != null && kept.plan == plan && kept.lab.isAlive()) {
            return kept;
        }
        if (kept != null) {
            kept.lab.close();
        }
        return new Kept(plan, Lab.up(ReflectionSupport.newInstance(plan).network()));
    }

    /// It is as it was when it was new, but for programs that are kept too.
    static synchronized void give(Kept kept) {
        if (idle != null) {
            idle.lab.close();
        }
        idle = kept;
    }
}
