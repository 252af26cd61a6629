package org.ibidem.arbitration;

/// The JVM's own poller, by which virtual threads wait at sockets. It starts with the first that
/// does; were there no file descriptor left then, its class would be broken for ever and no virtual
/// thread could use a socket any more (JDK 25). So it is started while there are some.
final class JvmPoller {
    static {
        try {
            Class.forName("sun.nio.ch.Poller");
        } catch (ClassNotFoundException _) {
            // This JVM does it in another way.
        }
    }

    private JvmPoller() {}

    /// Has started when this returns; costs nothing from the second time on.
    static void start() {}
}
