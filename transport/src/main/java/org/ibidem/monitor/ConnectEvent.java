package org.ibidem.monitor;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/// A send port has connected, or tried to: over what, and why not over what would have been faster.
@Name("ibidem.Connect")
@Label("Connect")
@Category("Ibidem")
@Description("A connection of a send port, and the choice of its way")
@StackTrace(false)
public final class ConnectEvent extends Event {
    @Label("From")
    String from = "";

    @Label("To")
    String to = "";

    @Label("Way")
    String way = "";

    @Label("Failure")
    String failure = "";

    private ConnectEvent() {}

    static ConnectEvent start() {
        var event = new ConnectEvent();
        event.begin();
        return event;
    }

    /// Ends it.
    ///
    /// @param way with the reasons; empty when it failed
    /// @param failure why it failed, or empty
    public void over(Object from, Object to, String way, String failure) {
        if (shouldCommit()) {
            this.from = from.toString();
            this.to = to.toString();
            this.way = way;
            this.failure = failure;
            commit();
        }
    }
}
