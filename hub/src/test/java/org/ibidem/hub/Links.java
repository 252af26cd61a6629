package org.ibidem.hub;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import org.ibidem.arbitration.Threads;
import org.ibidem.registry.Node;
import org.ibidem.service.ControlLink;

/// Breaks a node's connection to its hub the ways networks and dying processes do: under the feet
/// of both.
final class Links {
    private Links() {}

    /// As when the process ends: end of stream, without goodbye.
    static void cut(Node node) {
        with(node, channel -> channel.shutdownOutput());
    }

    /// As when a firewall or a crashed system answers: reset.
    static void reset(Node node) {
        with(node, Links::reset);
    }

    /// As when the process ends while its hub is away: it does not come back, and says nothing.
    static void silence(Node node) {
        try {
            ((Threads) field(node, "tasks")).close();
            node.station().close();
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("the test knows the product no more", e);
        }
    }

    /// A reset for any link.
    static void reset(ControlLink link) throws IOException {
        reset(link.proved().channel());
    }

    private static void reset(SocketChannel channel) throws IOException {
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        channel.close();
    }

    private interface Act {
        void on(SocketChannel channel) throws IOException;
    }

    private static void with(Node node, Act act) {
        try {
            act.on(channel(node));
        } catch (IOException | ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    // Nothing in the product hands a node's hub connection out, so the test takes it.
    private static SocketChannel channel(Node node) throws ReflectiveOperationException {
        var hubward = field(node, "hubward");
        if (hubward != null) {
            return (SocketChannel) field(field(hubward, "trunk"), "channel");
        }
        var uplink = field(node, "uplink");
        return ((ControlLink) field(uplink, "link")).proved().channel();
    }

    private static Object field(Object of, String name) throws ReflectiveOperationException {
        var field = of.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(of);
    }
}
