package org.ibidem.monitor;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/// Something was decided about the use of a line to a peer, and why.
@Name("ibidem.Decision")
@Label("Decision")
@Category("Ibidem")
@Description("How the line to a peer or its site is used from now on, and why")
@StackTrace(false)
public final class DecisionEvent extends Event {
    @Label("To")
    String to = "";

    @Label("What")
    String what = "";

    @Label("Decision")
    String decision = "";

    @Label("Why")
    String why = "";

    private DecisionEvent() {}

    static void tell(String to, String what, String decision, String why) {
        var event = new DecisionEvent();
        if (event.shouldCommit()) {
            event.to = to;
            event.what = what;
            event.decision = decision;
            event.why = why;
            event.commit();
        }
    }
}
