package org.ibidem.topology;

/// What becomes of an attempt to connect somewhere.
public enum ProbeResult {
    /// It was not tried.
    UNTRIED("not tried"),
    /// It arrives where it should.
    OPEN("open"),
    /// Somebody answers with a reset: a firewall that rejects, or nobody listens there.
    REFUSED("blocked: refused"),
    /// Nobody answers at all: most likely a firewall that drops.
    DROPPED("blocked: dropped without an answer"),
    /// There is no way there, as this machine or one between says.
    UNREACHABLE("blocked: no way there"),
    /// Somebody else answers than who should.
    ASTRAY("blocked: somebody else answers there"),
    /// It arrives, from the same machine: what stands before that was not in its way.
    WITHIN("open within this machine, which says nothing of others");

    private final String meaning;

    ProbeResult(String meaning) {
        this.meaning = meaning;
    }

    /// In plain words.
    public String meaning() {
        return meaning;
    }
}
