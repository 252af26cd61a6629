package org.ibidem.topology;

/// How a node's connections get out, as somebody outside sees them: the kind of NAT before it
/// (mappings as in RFC 4787, section 4.1, for TCP).
public enum Egress {
    /// Nobody outside was asked yet, or could be.
    UNKNOWN("not known"),
    /// They come from the node's own address and port.
    UNTRANSLATED("no NAT: others see the node's own address"),
    /// From another address, the same port.
    PRESERVING("a NAT that keeps ports"),
    /// From another address and port, the same whoever is spoken to.
    INDEPENDENT("a NAT that gives each port one other port, the same for all peers"),
    /// From another port for each one spoken to, which nobody can tell before.
    SYMMETRIC("a NAT that takes another port for each peer"),
    /// Only through a proxy.
    PROXY("nothing gets out but through a proxy");

    private final String meaning;

    Egress(String meaning) {
        this.meaning = meaning;
    }

    /// In plain words.
    public String meaning() {
        return meaning;
    }

    /// The same as a sentence that goes on: `there is a NAT that keeps ports`.
    public String inSentence() {
        return this == PROXY ? meaning : "there is " + meaning;
    }

    /// Can others be told at which outside address to meet a port of this node?
    public boolean foreseeable() {
        return this != SYMMETRIC && this != PROXY;
    }
}
