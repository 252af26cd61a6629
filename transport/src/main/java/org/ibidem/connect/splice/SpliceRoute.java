package org.ibidem.connect.splice;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.ibidem.config.AddressFamilies;
import org.ibidem.connect.LocalAddresses;
import org.ibidem.connect.Route;
import org.ibidem.connect.SocketPath;
import org.ibidem.link.Path;

/// A connection to an address of the peer, while the peer makes one to us.
///
/// Refusals mean nothing: a firewall that answers with a reset does so until the peer's own SYN has
/// passed it. So it tries again, from the same port, after a pause of random length, lest two that
/// refuse each other do so for ever. Two that will meet do so within few attempts; whoever has been
/// refused more often takes longer pauses.
final class SpliceRoute implements Route {
    private static final int ATTEMPT_MILLIS = 3_000;
    private static final int LONGEST_PAUSE_MILLIS = 20;

    /// After so many refusals the pauses are twice as long; not more often than [#DOUBLINGS] times.
    private static final int PATIENCE = 50;

    private static final int DOUBLINGS = 4;

    /// One end may take an attempt for done that the other gives up in the same moment.
    private static final int CONNECTIONS = 3;

    private final LocalPort port;
    private final InetSocketAddress address;
    private final Pause pause;
    private volatile int attempts;
    private volatile int refused;

    /// How time between two attempts is spent.
    @FunctionalInterface
    interface Pause {
        void take(Duration time) throws InterruptedException;
    }

    SpliceRoute(LocalPort port, InetSocketAddress address, Pause pause) {
        this.port = port;
        this.address = address;
        this.pause = pause;
    }

    @Override
    public InetSocketAddress address() {
        return address;
    }

    @Override
    public int connections() {
        return CONNECTIONS;
    }

    @Override
    public String progress() {
        return attempts + " attempts, " + refused + " of them refused";
    }

    @Override
    public SocketPath connect(Sockets sockets) throws IOException, InterruptedException {
        if (address.getPort() == port.number()
                && LocalAddresses.mine().contains(address.getAddress())) {
            throw new IOException("this is the port we are to connect from");
        }
        while (true) {
            var socket = sockets.open();
            try {
                return connect(socket);
            } catch (ConnectException | NoRouteToHostException | SocketTimeoutException e) {
                socket.close();
                count(e);
            } catch (IOException e) {
                socket.close();
                throw e;
            }
            int longest = LONGEST_PAUSE_MILLIS << Math.min(refused / PATIENCE, DOUBLINGS);
            pause.take(Duration.ofMillis(1 + ThreadLocalRandom.current().nextInt(longest)));
        }
    }

    private SocketPath connect(SocketChannel socket) throws IOException {
        // Should it be for nothing, however far it has got: a reset. After an orderly end the
        // system
        // would not let this port connect to that address for a minute.
        AddressFamilies.require(address);
        port.bind(socket).setOption(StandardSocketOptions.SO_LINGER, 0);
        socket.socket().connect(address, ATTEMPT_MILLIS);
        // TCP connects a port to itself, without anybody else: the simplest simultaneous open.
        if (socket.getLocalAddress().equals(socket.getRemoteAddress())) {
            throw new IOException("it leads back to the port we connect from");
        }
        return new SocketPath(socket);
    }

    @Override
    public void proved(Path connection) throws IOException {
        ((SocketPath) connection).socket().setOption(StandardSocketOptions.SO_LINGER, -1);
    }

    // Only this route's own thread writes.
    @SuppressWarnings("NonAtomicVolatileUpdate")
    private void count(IOException why) {
        attempts++;
        if (!(why instanceof SocketTimeoutException)) {
            refused++;
        }
    }
}
