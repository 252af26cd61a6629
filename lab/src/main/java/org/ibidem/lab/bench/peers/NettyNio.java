package org.ibidem.lab.bench.peers;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SelectStrategy;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.resolver.NoopAddressResolverGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.spi.SelectorProvider;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.ibidem.hub.Hub;
import org.ibidem.lab.bench.Contestant;
import org.ibidem.lab.bench.Measure;
import org.ibidem.lab.bench.Meeting;
import org.ibidem.lab.bench.Player;
import org.ibidem.personality.nio.IbidemSelectorProvider;
import org.ibidem.personality.sockets.Rules;
import org.ibidem.personality.sockets.Sockets;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;

/// Netty's transport over the channels of `java.nio`: over loopback TCP with the JDK's provider, or
/// over shared memory with ours; nothing else differs.
///
/// @param near whether it is ours
/// @param waiting asleep in the selector, or looking again and again while a burst goes on
public record NettyNio(boolean near, Waiting waiting) implements Contestant {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String HOST = "0.near";

    @Override
    public String name() {
        return (near ? "netty-shm" : "netty-tcp") + (waiting == Waiting.SPIN ? "-spin" : "");
    }

    @Override
    public String about() {
        return "Netty 4.2 over "
                + (near
                        ? "our SelectorProvider and shared memory"
                        : "the JDK's SelectorProvider and loopback TCP")
                + ", one event loop a side";
    }

    @Override
    public boolean plays(Measure measure) {
        return measure.kind() != Measure.Kind.RATE && measure.kind() != Measure.Kind.CALL;
    }

    @Override
    public Player open(Meeting meeting) throws Exception {
        var provider = near ? provider(meeting) : SelectorProvider.provider();
        var playing = new AtomicBoolean();
        var group =
                new MultiThreadIoEventLoopGroup(
                        1,
                        NioIoHandler.newFactory(
                                provider,
                                () ->
                                        (supplier, tasks) ->
                                                tasks || spins(playing)
                                                        ? supplier.get()
                                                        : SelectStrategy.SELECT));
        var player = new NettyPlayer(group, playing, 0);
        if (!meeting.leads()) {
            connect(group, player, provider, Integer.parseInt(meeting.hear()));
            player.awaitChannel();
            return player;
        }
        var server = listen(group, player, provider);
        meeting.tell(Integer.toString(((InetSocketAddress) server.localAddress()).getPort()));
        player.awaitChannel();
        var _ = server.close().sync();
        return player;
    }

    private boolean spins(AtomicBoolean playing) {
        return waiting == Waiting.SPIN && playing.get();
    }

    /// A node at each side, of which the one that leads is of rank 0; they live as long as the
    /// process.
    private static SelectorProvider provider(Meeting meeting) throws IOException {
        int hub;
        if (meeting.leads()) {
            hub = Hub.start(Hub.Options.DEFAULT.port(0)).port();
            meeting.tell(Integer.toString(hub));
        } else {
            hub = Integer.parseInt(meeting.hear());
        }
        var node =
                Node.join(
                        Join.pool("netty")
                                .hub("127.0.0.1:" + hub)
                                .size(2)
                                .rank(meeting.leads() ? 0 : 1));
        node.awaitMembers(2, LIMIT);
        var sockets = new Sockets(() -> node, Rules.parse("*.near -> rank * over shm"));
        return new IbidemSelectorProvider(() -> sockets);
    }

    private void connect(
            EventLoopGroup group, NettyPlayer player, SelectorProvider provider, int port)
            throws InterruptedException {
        var to =
                near
                        ? InetSocketAddress.createUnresolved(HOST, port)
                        : new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        var _ =
                new Bootstrap()
                        .group(group)
                        .resolver(NoopAddressResolverGroup.INSTANCE)
                        .channelFactory(() -> new NioSocketChannel(provider))
                        .option(ChannelOption.TCP_NODELAY, true)
                        .option(ChannelOption.AUTO_READ, false)
                        .option(ChannelOption.WRITE_BUFFER_WATER_MARK, NettyPlayer.WATER)
                        .handler(player)
                        .connect(to)
                        .sync();
    }

    private static Channel listen(
            EventLoopGroup group, NettyPlayer player, SelectorProvider provider)
            throws InterruptedException {
        return new ServerBootstrap()
                .group(group)
                .channelFactory(() -> new NioServerSocketChannel(provider))
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.AUTO_READ, false)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, NettyPlayer.WATER)
                .childHandler(player)
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .sync()
                .channel();
    }
}
