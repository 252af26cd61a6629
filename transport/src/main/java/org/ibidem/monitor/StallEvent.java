package org.ibidem.monitor;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

/// A writer had to wait for room: its reader does not keep up.
@Name("ibidem.Stall")
@Label("Stall")
@Category("Ibidem")
@Description("A writer waited for room")
public final class StallEvent extends Event {
    private static final EventType TYPE = EventType.getEventType(StallEvent.class);

    @Label("Port")
    String port = "";

    private StallEvent() {}

    /// Begins one; null while it is not recorded.
    static @Nullable StallEvent start() {
        if (!TYPE.isEnabled()) {
            return null;
        }
        var event = new StallEvent();
        event.begin();
        return event;
    }

    /// Ends it; short ones are not recorded (the event's threshold says which).
    public void over(Object port) {
        if (shouldCommit()) {
            this.port = port.toString();
            commit();
        }
    }
}
