package org.ibidem.monitor;

import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/// What a node tells the JVM's flight recorder. The first class of an event that is loaded brings
/// the recorder up, which takes a quarter of a second of a process's start; so none is loaded
/// before somebody records.
public final class FlightEvents {
    private FlightEvents() {}

    private static boolean isRecorded() {
        return FlightRecorder.isInitialized();
    }

    /// Begins the making of a connection; null while nobody records.
    public static @Nullable ConnectEvent connect() {
        return isRecorded() ? ConnectEvent.start() : null;
    }

    /// Begins a writer's wait for room; null while nobody records that, so that nothing is
    /// allocated.
    public static @Nullable StallEvent stall() {
        return isRecorded() ? StallEvent.start() : null;
    }

    /// Records what was decided of a link.
    ///
    /// @param to a peer or a site
    /// @param what who decided, such as `parallel`
    public static void decision(String to, String what, String decision, String why) {
        if (isRecorded()) {
            DecisionEvent.tell(to, what, decision, why);
        }
    }

    /// Records whether the receivers of a port share one ring.
    ///
    /// @param reason why not; empty: they do
    public static void broadcast(int receivers, String reason) {
        if (isRecorded()) {
            BroadcastEvent.tell(receivers, reason);
        }
    }
}
