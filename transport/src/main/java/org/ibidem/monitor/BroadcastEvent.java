package org.ibidem.monitor;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/// Several receivers on one machine read what is written once from now on, or do not, for a reason.
@Name("ibidem.Broadcast")
@Label("Broadcast")
@Category("Ibidem")
@Description("Whether several receivers are written to at once")
@StackTrace(false)
public final class BroadcastEvent extends Event {
    @Label("Receivers")
    int receivers;

    @Label("Why each is written to alone")
    String reason = "";

    private BroadcastEvent() {}

    static void tell(int receivers, String reason) {
        var event = new BroadcastEvent();
        if (event.isEnabled()) {
            event.receivers = receivers;
            event.reason = reason;
            event.commit();
        }
    }
}
