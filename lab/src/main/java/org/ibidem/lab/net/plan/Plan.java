package org.ibidem.lab.net.plan;

/// Describes a network. A class that implements this, with a constructor without arguments, is what
/// `./ibidem lab up FILE` compiles and builds, and what tests name.
@FunctionalInterface
public interface Plan {
    /// The network.
    Network network();
}
