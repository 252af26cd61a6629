package org.ibidem.personality.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.DefaultSelectStrategyFactory;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.resolver.NoopAddressResolverGroup;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.ibidem.hub.Hub;
import org.ibidem.personality.sockets.Rules;
import org.ibidem.personality.sockets.Sockets;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Netty's own transport over our channels: an echo between two nodes.
@Timeout(120)
class NettyEchoTest {
    private static final int SIZE = 2_000_000;

    private static IbidemSelectorProvider provider(Node node) {
        var sockets = new Sockets(() -> node, Rules.parse("*.near -> rank * over shm"));
        return new IbidemSelectorProvider(() -> sockets);
    }

    private static EventLoopGroup loops(IbidemSelectorProvider provider) {
        return new MultiThreadIoEventLoopGroup(
                1, NioIoHandler.newFactory(provider, DefaultSelectStrategyFactory.INSTANCE));
    }

    private static final class Echo extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            var _ = context.writeAndFlush(message, context.voidPromise());
        }
    }

    private static final class Gathers extends SimpleChannelInboundHandler<ByteBuf> {
        private final ByteArrayOutputStream got = new ByteArrayOutputStream();
        private final CompletableFuture<byte[]> whole = new CompletableFuture<>();

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf some)
                throws IOException {
            some.readBytes(got, some.readableBytes());
            if (got.size() >= SIZE) {
                whole.complete(got.toByteArray());
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable why) {
            whole.completeExceptionally(why);
        }
    }

    @Test
    @Tag("slow")
    void an_echo_of_netty_runs_over_shared_memory() throws Exception {
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0))) {
            var join = Join.pool("netty").hub("localhost:" + hub.port()).size(2);
            try (var one = Node.join(join.rank(0));
                    var two = Node.join(join.rank(1))) {
                one.awaitMembers(2, Duration.ofSeconds(60));
                echo(provider(one), provider(two));
            }
        }
    }

    private static void echo(IbidemSelectorProvider here, IbidemSelectorProvider there)
            throws Exception {
        var clients = loops(here);
        var servers = loops(there);
        try {
            var listener = listen(servers, there);
            int port = ((InetSocketAddress) listener.localAddress()).getPort();
            var gathers = new Gathers();
            var client =
                    new Bootstrap()
                            .group(clients)
                            .resolver(NoopAddressResolverGroup.INSTANCE)
                            .channelFactory(() -> new NioSocketChannel(here))
                            .handler(gathers)
                            .connect(InetSocketAddress.createUnresolved("1.near", port))
                            .sync()
                            .channel();
            var bytes = new byte[SIZE];
            new Random(1).nextBytes(bytes);
            client.writeAndFlush(Unpooled.wrappedBuffer(bytes)).sync();
            assertThat(gathers.whole.get(60, TimeUnit.SECONDS)).isEqualTo(bytes);
            assertThat(client.remoteAddress().toString()).contains("1.near");
            client.close().sync();
            listener.close().sync();
        } finally {
            clients.shutdownGracefully(0, 0, TimeUnit.SECONDS).sync();
            servers.shutdownGracefully(0, 0, TimeUnit.SECONDS).sync();
        }
    }

    private static Channel listen(EventLoopGroup servers, IbidemSelectorProvider there)
            throws InterruptedException {
        return new ServerBootstrap()
                .group(servers)
                .channelFactory(() -> new NioServerSocketChannel(there))
                .childHandler(
                        new ChannelInitializer<>() {
                            @Override
                            protected void initChannel(Channel channel) {
                                channel.pipeline().addLast(new Echo());
                            }
                        })
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .sync()
                .channel();
    }
}
