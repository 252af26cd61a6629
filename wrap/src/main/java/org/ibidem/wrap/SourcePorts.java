package org.ibidem.wrap;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/// The ports from which an agent connects to programs, from the addresses of ranks. Where the peer
/// closes first, the agent's socket does so here and keeps its port for a minute (TIME_WAIT, RFC
/// 9293, 3.6.1). So it takes ports that the kernel gives to nobody, in turn, and takes them again:
/// the kernel lets a new connection follow one in TIME_WAIT by their timestamps (RFC 6191). Where
/// none of these is free, it takes those that the kernel would choose from.
final class SourcePorts {
    private static final Path KERNEL_RANGE = Path.of("/proc/sys/net/ipv4/ip_local_port_range");

    /// Below it servers listen.
    private static final int LEAST = 61_000;

    private static final int LARGEST = 0xFFFF;

    /// Of each range, until the next one is tried.
    private static final int MOST_TRIES = 64;

    private final Range own;
    private final Range kernels;

    /// Ports that are taken in turn, from a random one on, as another agent may take them, too.
    private static final class Range {
        private final int first;
        private final int count;
        private final AtomicInteger next;

        Range(int first, int last) {
            this.first = first;
            this.count = Math.max(0, last - first + 1);
            this.next = new AtomicInteger(ThreadLocalRandom.current().nextInt(count + 1));
        }

        int next() {
            return first + Math.floorMod(next.getAndIncrement(), count);
        }
    }

    private SourcePorts(int first, int last) {
        kernels = new Range(first, last);
        own = new Range(Math.max(LEAST, last + 1), LARGEST);
    }

    /// Those beside the range of the kernel of this machine.
    static SourcePorts beside() {
        try (var range = Files.newBufferedReader(KERNEL_RANGE)) { // the kernel gives it at once
            return beside(Objects.requireNonNullElse(range.readLine(), ""));
        } catch (IOException | IllegalArgumentException _) {
            return new SourcePorts(32_768, 60_999); // Linux's default
        }
    }

    /// The same, of a range as the kernel writes it.
    static SourcePorts beside(String range) {
        var words = range.strip().split("\\s+", -1);
        int first = Integer.parseInt(words[0]);
        int last = Integer.parseInt(words[words.length - 1]);
        if (first < 1 || last < first || last > LARGEST) {
            throw new IllegalArgumentException("no range of ports: " + range);
        }
        return new SourcePorts(first, last);
    }

    /// Connects a socket from one of these ports of an address.
    ///
    /// @throws IOException when that fails, and no other port would change it
    SocketChannel connect(InetAddress from, InetSocketAddress to) throws IOException {
        try {
            return connect(own, from, to);
        } catch (BindException _) {
            return connect(kernels, from, to);
        }
    }

    private static SocketChannel connect(Range range, InetAddress from, InetSocketAddress to)
            throws IOException {
        var taken = new BindException("all ports of " + from.getHostAddress() + " are in use");
        for (int i = 0; i < Math.min(MOST_TRIES, range.count); i++) {
            try {
                return connect(new InetSocketAddress(from, range.next()), to);
            } catch (BindException e) { // EADDRINUSE by bind, EADDRNOTAVAIL by connect
                taken = e;
            }
        }
        throw taken;
    }

    private static SocketChannel connect(InetSocketAddress from, InetSocketAddress to)
            throws IOException {
        var socket = SocketChannel.open(StandardProtocolFamily.INET);
        try {
            socket.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            socket.bind(from);
            socket.connect(to);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }
}
