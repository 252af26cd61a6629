package org.ibidem.lab.bench.peers;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SelectStrategy;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.ibidem.lab.bench.Contestant;
import org.ibidem.lab.bench.Measure;
import org.ibidem.lab.bench.Meeting;
import org.ibidem.lab.bench.Player;

/// Netty 4.2 as it is at its best: one event loop at each side, and all of the conversation within
/// it ([NettyPlayer]), so that no message changes threads.
public final class NettyPeer implements Contestant {
    private final String name;
    private final Waiting waiting;
    private final boolean nativeLoop;

    /// Bytes of a stream that are written before they are flushed together; 0: each message is.
    private final int held;

    private NettyPeer(String name, Waiting waiting, boolean nativeLoop, int held) {
        this.name = name;
        this.waiting = waiting;
        this.nativeLoop = nativeLoop;
        this.held = held;
    }

    /// Over epoll, asleep while there is nothing to do.
    public static NettyPeer epoll() {
        return new NettyPeer("netty-epoll", Waiting.SELECT, true, 0);
    }

    /// Over epoll, looking again and again while a burst goes on.
    public static NettyPeer epollSpinning() {
        return new NettyPeer("netty-epoll-spin", Waiting.SPIN, true, 0);
    }

    /// The same where the messages of a stream are written, and flushed together.
    public static NettyPeer epollHolding() {
        return new NettyPeer("netty-epoll-held-spin", Waiting.SPIN, true, RawSocket.HELD);
    }

    /// Over the JDK's selector.
    public static NettyPeer nio() {
        return new NettyPeer("netty-nio", Waiting.SELECT, false, 0);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Waiting waiting() {
        return waiting;
    }

    @Override
    public String about() {
        return "Netty 4.2, everything in one event loop a side, no framing; the tree by JDK serialization"
                + (held > 0 ? "; flushed when 768 KiB are written" : "");
    }

    @Override
    public boolean plays(Measure measure) {
        return measure.kind() != Measure.Kind.RATE
                && (held == 0 || measure.kind() == Measure.Kind.BANDWIDTH);
    }

    @Override
    public Optional<String> missing() {
        return nativeLoop && !Epoll.isAvailable()
                ? Optional.of("no epoll for Netty here: " + Epoll.unavailabilityCause())
                : Optional.empty();
    }

    @Override
    public Player open(Meeting meeting) throws Exception {
        var playing = new AtomicBoolean();
        var group = new MultiThreadIoEventLoopGroup(1, handler(playing));
        var loopback = InetAddress.getLoopbackAddress();
        var player = new NettyPlayer(group, playing, held);
        if (meeting.leads()) {
            connect(
                    group,
                    player,
                    new InetSocketAddress(loopback, Integer.parseInt(meeting.hear())));
            player.awaitChannel();
            return player;
        }
        var server = listen(group, player, new InetSocketAddress(loopback, 0));
        meeting.tell(Integer.toString(((InetSocketAddress) server.localAddress()).getPort()));
        player.awaitChannel();
        var _ = server.close().sync();
        return player;
    }

    private IoHandlerFactory handler(AtomicBoolean playing) {
        if (!nativeLoop) {
            return NioIoHandler.newFactory();
        }
        if (waiting != Waiting.SPIN) {
            return EpollIoHandler.newFactory();
        }
        // Not BUSY_WAIT: that would not see tasks, such as the one that begins the next burst.
        return EpollIoHandler.newFactory(
                0,
                () ->
                        (supplier, tasks) ->
                                tasks || playing.get() ? supplier.get() : SelectStrategy.SELECT);
    }

    private void connect(
            MultiThreadIoEventLoopGroup group, NettyPlayer player, InetSocketAddress to)
            throws InterruptedException {
        Class<? extends Channel> kind =
                nativeLoop ? EpollSocketChannel.class : NioSocketChannel.class;
        var _ =
                new Bootstrap()
                        .group(group)
                        .channel(kind)
                        .option(ChannelOption.TCP_NODELAY, true)
                        .option(ChannelOption.AUTO_READ, false)
                        .option(ChannelOption.WRITE_BUFFER_WATER_MARK, NettyPlayer.WATER)
                        .handler(player)
                        .connect(to)
                        .sync();
    }

    private Channel listen(
            MultiThreadIoEventLoopGroup group, NettyPlayer player, InetSocketAddress at)
            throws InterruptedException {
        Class<? extends ServerChannel> kind =
                nativeLoop ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
        return new ServerBootstrap()
                .group(group)
                .channel(kind)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.AUTO_READ, false)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, NettyPlayer.WATER)
                .childHandler(player)
                .bind(at)
                .sync()
                .channel();
    }
}
