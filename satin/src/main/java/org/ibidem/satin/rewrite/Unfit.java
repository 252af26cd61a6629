package org.ibidem.satin.rewrite;

/// A call cannot be spawned, as the analysis of its method has shown; it stays an ordinary call.
final class Unfit extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int place;
    private final String why;

    Unfit(int place, String why) {
        super(why, null, false, false);
        this.place = place;
        this.why = why;
    }

    /// Of the call.
    int place() {
        return place;
    }

    String why() {
        return why;
    }
}
