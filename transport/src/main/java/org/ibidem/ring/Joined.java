package org.ibidem.ring;

/// An ability of sinks over several lowers: they may be joined, so that frames do not go through
/// each of them. Before anything is written into one of them alone, or another sink is put over
/// them, they must be parted.
public interface Joined {
    /// Parts them for good; the order of what was written and of what follows stays. Room that was
    /// granted is void. Never waits.
    void part();
}
