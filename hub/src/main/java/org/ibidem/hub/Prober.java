package org.ibidem.hub;

import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import org.ibidem.connect.Unreachable;
import org.ibidem.connect.direct.Direct;
import org.ibidem.handshake.Handshake;
import org.ibidem.handshake.HandshakeFailed;
import org.ibidem.handshake.Hello;
import org.ibidem.task.Tasks;
import org.ibidem.topology.Contact;
import org.jspecify.annotations.Nullable;

/// Finds out whether anybody still listens where a node said that it listens.
final class Prober {
    private static final Duration LIMIT = Duration.ofSeconds(3);

    private final Handshake handshake;
    private final Tasks tasks;

    Prober(Handshake handshake, Tasks tasks) {
        this.handshake = handshake;
        this.tasks = tasks;
    }

    /// Does a connection to a node's addresses lead to the node, seen from where its own came from?
    /// Behind a NAT or a proxy it comes from an address that is not its own, and at its own there
    /// may be another machine. One on this machine comes from its loopback address; so does what
    /// somebody forwards from elsewhere.
    static boolean reaches(InetAddress from, List<InetSocketAddress> published) {
        return published.stream()
                .map(InetSocketAddress::getAddress)
                .anyMatch(own -> from.equals(own) || (from.isLoopbackAddress() && isHere(own)));
    }

    private static boolean isHere(@Nullable InetAddress address) {
        try {
            return address != null
                    && (address.isLoopbackAddress()
                            || NetworkInterface.getByInetAddress(address) != null);
        } catch (SocketException _) {
            return false;
        }
    }

    /// Was a connection refused at every address of the node? Silence, or anything else but a
    /// refusal, proves nothing.
    ///
    /// @param pool whose member it is
    boolean refused(String pool, Contact contact) {
        try {
            Direct.race(
                    "node " + contact.id(),
                    contact.addresses(),
                    channel -> {
                        handshake.begin(channel, Hello.trial(pool, contact.id()));
                        return () -> {
                            channel.close();
                            return true;
                        };
                    },
                    tasks,
                    LIMIT);
            return false;
        } catch (Unreachable e) {
            return !e.attempts().isEmpty()
                    && e.attempts().stream()
                            .allMatch(attempt -> attempt.cause() instanceof ConnectException);
        } catch (HandshakeFailed | IllegalStateException _) {
            return false; // somebody is there, or this hub ends
        }
    }
}
