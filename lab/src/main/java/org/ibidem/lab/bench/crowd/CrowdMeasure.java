package org.ibidem.lab.bench.crowd;

/// What is measured of a crowd.
enum CrowdMeasure {
    /// From the first that wants to join until the last is a member.
    JOIN("join", "members/s", true),
    /// The same, until all know all.
    COMPLETE("complete", "members/s", true),
    /// From the call until each member has it.
    SIGNAL("signal", "ms", false),
    /// From the call until each member has heard who won.
    ELECTED("elected", "ms", false),
    /// From the wish to join until each member has heard of the new one; the handshake included.
    JOINED("joined", "ms", false),
    /// From kill -9 until each member has heard of the death.
    DIED("died", "ms", false),
    /// From asking until a node has the next number of a sequence: what a message of a `total` port
    /// waits for before it begins.
    NUMBER("number", "ms", false),
    /// Processor time of the hub for a member that joins.
    HUB_CPU("hub-cpu", "ms/member", false),
    /// Bytes over the loopback interface for a member that joins.
    TRAFFIC("traffic", "KiB/member", false),
    /// What is alive on the hub's heap for each member.
    HUB_HEAP("hub-heap", "KiB/member", false),
    /// What is alive on the heap of a node's process for each node.
    NODE_HEAP("node-heap", "KiB/node", false);

    private final String title;
    private final String unit;
    private final boolean moreIsBetter;

    CrowdMeasure(String title, String unit, boolean moreIsBetter) {
        this.title = title;
        this.unit = unit;
        this.moreIsBetter = moreIsBetter;
    }

    String title() {
        return title;
    }

    String unit() {
        return unit;
    }

    boolean moreIsBetter() {
        return moreIsBetter;
    }
}
