package org.ibidem.rmi.program;

import org.jspecify.annotations.Nullable;

/// Stands for `System.setSecurityManager`, which has been refused since JDK 24 (JEP 486): programs
/// of `java.rmi` call it so that stubs could be loaded over the network, which is done no more.
@SuppressWarnings("removal") // the parameter is what programs give
public final class SecurityManagers {
    private SecurityManagers() {}

    /// Does nothing.
    public static void setSecurityManager(@Nullable SecurityManager none) {}
}
