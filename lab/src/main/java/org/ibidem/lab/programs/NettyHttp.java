package org.ibidem.lab.programs;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// HTTP by Netty, server and client: `NettyHttp server PORT`, `NettyHttp client HOST PORT COUNT`.
/// All requests go over one connection; some are sent before the answers to those before them.
public final class NettyHttp {
    private static final int LARGE = 1_000_000;
    private static final int MOST = 2 * LARGE;
    private static final int AHEAD = 50;
    private static final int LIMIT = 60;

    private NettyHttp() {}

    /// Serves, or asks.
    ///
    /// @param args `server`, port; or `client`, host, port, how many requests to time
    public static void main(String[] args) throws Exception {
        var group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        if (args[0].equals("server")) {
            var server = serve(group, Integer.parseInt(args[1]));
            var here = (InetSocketAddress) server.localAddress();
            System.out.println("listening on " + here.getPort());
            server.closeFuture().sync();
            return;
        }
        var answers = new ArrayBlockingQueue<Answer>(AHEAD);
        var channel =
                connect(group, new InetSocketAddress(args[1], Integer.parseInt(args[2])), answers);
        check(channel, answers);
        System.out.println("checked");
        Exchanges.time(
                Integer.parseInt(args[3]),
                i -> {
                    ask(channel, "/echo", body(1, i));
                    next(answers, HttpResponseStatus.OK, body(1, i));
                });
        channel.close().sync();
        group.shutdownGracefully(0, LIMIT, TimeUnit.SECONDS).sync();
    }

    private static void check(Channel channel, BlockingQueue<Answer> answers)
            throws InterruptedException {
        ask(channel, "/echo", body(LARGE, 1));
        next(answers, HttpResponseStatus.OK, body(LARGE, 1));
        ask(channel, "/nothing", body(1, 1));
        next(answers, HttpResponseStatus.NOT_FOUND, new byte[0]);
        for (int i = 0; i < AHEAD; i++) {
            ask(channel, "/echo", body(10_000, i));
        }
        for (int i = 0; i < AHEAD; i++) {
            next(answers, HttpResponseStatus.OK, body(10_000, i));
        }
    }

    private static byte[] body(int length, int seed) {
        var bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) ((i * 31 + seed) >> 3);
        }
        return bytes;
    }

    private static void ask(Channel channel, String path, byte[] body) {
        var request =
                new DefaultFullHttpRequest(
                        HttpVersion.HTTP_1_1, HttpMethod.POST, path, Unpooled.wrappedBuffer(body));
        HttpUtil.setContentLength(request, body.length);
        var _ = channel.writeAndFlush(request, channel.voidPromise());
    }

    private static void next(BlockingQueue<Answer> answers, HttpResponseStatus status, byte[] body)
            throws InterruptedException {
        var got = answers.poll(LIMIT, TimeUnit.SECONDS);
        if (got == null) {
            throw new IllegalStateException("no answer came");
        }
        Exchanges.same(got.status, status);
        if (!Arrays.equals(got.body, body)) {
            throw new IllegalStateException("the body is another, of " + got.body.length);
        }
    }

    private static final class Answer {
        final HttpResponseStatus status;
        final byte[] body;

        Answer(FullHttpResponse response) {
            status = response.status();
            body = ByteBufUtil.getBytes(response.content());
        }
    }

    private static Channel serve(EventLoopGroup group, int port) throws InterruptedException {
        return new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .childHandler(handlers(HttpServerCodec::new, Echo::new))
                .bind(port)
                .sync()
                .channel();
    }

    private static Channel connect(
            EventLoopGroup group, InetSocketAddress to, BlockingQueue<Answer> answers)
            throws InterruptedException {
        return new Bootstrap()
                .group(group)
                .channel(NioSocketChannel.class)
                .handler(handlers(HttpClientCodec::new, () -> new Taking(answers)))
                .connect(to)
                .sync()
                .channel();
    }

    private static ChannelHandler handlers(
            Supplier<ChannelHandler> codec, Supplier<ChannelHandler> last) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                channel.pipeline().addLast(codec.get(), new HttpObjectAggregator(MOST), last.get());
            }
        };
    }

    private static final class Echo extends SimpleChannelInboundHandler<FullHttpRequest> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
            boolean known = request.uri().equals("/echo");
            var response =
                    new DefaultFullHttpResponse(
                            HttpVersion.HTTP_1_1,
                            known ? HttpResponseStatus.OK : HttpResponseStatus.NOT_FOUND,
                            known ? request.content().retain() : Unpooled.EMPTY_BUFFER);
            HttpUtil.setContentLength(response, response.content().readableBytes());
            var _ = context.writeAndFlush(response, context.voidPromise());
        }
    }

    private static final class Taking extends SimpleChannelInboundHandler<FullHttpResponse> {
        private final BlockingQueue<Answer> answers;

        Taking(BlockingQueue<Answer> answers) {
            this.answers = answers;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpResponse response) {
            answers.add(new Answer(response));
        }
    }
}
