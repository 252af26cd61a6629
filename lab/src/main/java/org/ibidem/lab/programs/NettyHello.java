package org.ibidem.lab.programs;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/// An echo by Netty's NIO transport: `NettyHello server PORT`, `NettyHello client HOST PORT COUNT`.
public final class NettyHello {
    private static final int LARGE = 2_000_000;
    private static final int LIMIT = 60;

    private NettyHello() {}

    /// Serves, or asks.
    ///
    /// @param args `server`, port; or `client`, host, port, how many words to time
    public static void main(String[] args) throws Exception {
        var group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        if (args[0].equals("server")) {
            var server =
                    new ServerBootstrap()
                            .group(group)
                            .channel(NioServerSocketChannel.class)
                            .childOption(ChannelOption.TCP_NODELAY, true)
                            .childHandler(new Echo())
                            .bind(Integer.parseInt(args[1]))
                            .sync()
                            .channel();
            var here = (InetSocketAddress) server.localAddress();
            System.out.println("listening on " + here.getPort());
            server.closeFuture().sync();
            return;
        }
        var got = new ArrayBlockingQueue<byte[]>(LARGE);
        var channel =
                new Bootstrap()
                        .group(group)
                        .channel(NioSocketChannel.class)
                        .option(ChannelOption.TCP_NODELAY, true)
                        .handler(new Taking(got))
                        .connect(new InetSocketAddress(args[1], Integer.parseInt(args[2])))
                        .sync()
                        .channel();
        var large = new byte[LARGE];
        for (int i = 0; i < LARGE; i++) {
            large[i] = (byte) ((i * 31) >> 4);
        }
        echo(channel, got, large);
        System.out.println("checked");
        Exchanges.time(Integer.parseInt(args[3]), i -> echo(channel, got, word(i)));
        channel.close().sync();
        group.shutdownGracefully(0, LIMIT, TimeUnit.SECONDS).sync();
    }

    private static byte[] word(int number) {
        return Unpooled.buffer(Long.BYTES).writeLong(number).array();
    }

    private static void echo(Channel channel, BlockingQueue<byte[]> got, byte[] bytes)
            throws InterruptedException {
        var _ = channel.writeAndFlush(Unpooled.wrappedBuffer(bytes), channel.voidPromise());
        for (int at = 0; at < bytes.length; ) {
            var some = got.poll(LIMIT, TimeUnit.SECONDS);
            if (some == null || !Arrays.equals(some, 0, some.length, bytes, at, at + some.length)) {
                throw new IllegalStateException("it did not come back as it was, from " + at);
            }
            at += some.length;
        }
    }

    @Sharable
    private static final class Echo extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            var _ = context.writeAndFlush(message, context.voidPromise());
        }
    }

    private static final class Taking extends SimpleChannelInboundHandler<ByteBuf> {
        private final BlockingQueue<byte[]> got;

        Taking(BlockingQueue<byte[]> got) {
            this.got = got;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf some) {
            var bytes = new byte[some.readableBytes()];
            some.readBytes(bytes);
            got.add(bytes);
        }
    }
}
