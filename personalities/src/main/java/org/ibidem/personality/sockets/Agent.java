package org.ibidem.personality.sockets;

import java.lang.instrument.Instrumentation;
import java.net.SocketImpl;
import java.util.Map;
import java.util.Set;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;

/// The Java agent: `java -javaagent:ibidem-personalities.jar='*.pool -> rank *' …`. The program's
/// process joins the pool that the usual settings name when its first socket needs it, and leaves
/// it as it ends.
public final class Agent {
    private Agent() {}

    /// Called by the JVM before the program's `main`.
    ///
    /// @param rules as [Rules#parse] reads them
    public static void premain(String rules, Instrumentation instrumentation) {
        instrumentation.redefineModule(
                SocketImpl.class.getModule(),
                Set.of(),
                Map.of(),
                Map.of("java.net", Set.of(Agent.class.getModule())),
                Set.of(),
                Map.of());
        Sockets.install(Agent::join, Rules.parse(rules == null ? "" : rules));
    }

    /// Joins, and leaves when the process ends.
    static Node join() {
        var node = Node.join(Join.fromEnvironment());
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(node::close));
        return node;
    }
}
