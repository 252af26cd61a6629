package org.ibidem.personality.nio;

import java.io.IOException;
import java.net.ProtocolFamily;
import java.net.SocketOption;
import java.nio.channels.Channel;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.Set;
import java.util.function.Supplier;
import org.ibidem.config.NativeChannels;
import org.ibidem.personality.sockets.Sockets;
import org.jspecify.annotations.Nullable;

/// Makes channels that follow the rules for sockets, and selectors for them. The JDK makes one
/// where the property `java.nio.channels.spi.SelectorProvider` names this class.
public final class IbidemSelectorProvider extends SelectorProvider {
    private final SelectorProvider jdk = NativeChannels.hidden();
    private final Supplier<Sockets> sockets;
    private @Nullable Set<SocketOption<?>> options;

    /// Follows the rules of this process ([Sockets#current]).
    public IbidemSelectorProvider() {
        this(Sockets::current);
    }

    /// Follows these rules.
    ///
    /// @param sockets asked when the first channel connects or is bound
    public IbidemSelectorProvider(Supplier<Sockets> sockets) {
        this.sockets = sockets;
    }

    SelectorProvider jdk() {
        return jdk;
    }

    Sockets sockets() {
        return sockets.get();
    }

    /// The options that a channel of the JDK's has.
    synchronized Set<SocketOption<?>> options() throws IOException {
        var known = options;
        if (known == null) {
            try (var one = jdk.openSocketChannel()) {
                known = one.supportedOptions();
            }
            options = known;
        }
        return known;
    }

    /// A datagram channel of the JDK's.
    @Override
    public DatagramChannel openDatagramChannel() throws IOException {
        return jdk.openDatagramChannel();
    }

    @Override
    public DatagramChannel openDatagramChannel(ProtocolFamily family) throws IOException {
        return jdk.openDatagramChannel(family);
    }

    /// A pipe of the JDK's.
    @Override
    public Pipe openPipe() throws IOException {
        return jdk.openPipe();
    }

    @Override
    public AbstractSelector openSelector() throws IOException {
        return new MixedSelector(this, jdk.openSelector());
    }

    @Override
    public ServerSocketChannel openServerSocketChannel() throws IOException {
        return new MixedServerChannel(this, jdk.openServerSocketChannel());
    }

    @Override
    public SocketChannel openSocketChannel() throws IOException {
        return new MixedSocketChannel(this, jdk.openSocketChannel());
    }

    /// Other families than those of the Internet are the JDK's.
    @Override
    public SocketChannel openSocketChannel(ProtocolFamily family) throws IOException {
        return new MixedSocketChannel(this, jdk.openSocketChannel(family));
    }

    @Override
    public ServerSocketChannel openServerSocketChannel(ProtocolFamily family) throws IOException {
        return new MixedServerChannel(this, jdk.openServerSocketChannel(family));
    }

    @Override
    public Channel inheritedChannel() throws IOException {
        return jdk.inheritedChannel();
    }
}
