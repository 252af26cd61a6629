package org.ibidem.lab.bench.peers;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.ibidem.lab.bench.Burst;
import org.ibidem.lab.bench.Measure;
import org.ibidem.lab.bench.Payload;
import org.ibidem.lab.bench.Player;
import org.jspecify.annotations.Nullable;

/// Plays bursts within Netty's event loop: every message is answered, or followed by the next,
/// where it arrives.
final class NettyPlayer extends ChannelInboundHandlerAdapter implements Player {
    /// When a stream pauses and goes on, in bytes waiting to be written.
    static final WriteBufferWaterMark WATER = new WriteBufferWaterMark(256 << 10, 1 << 20);

    private final EventLoopGroup group;
    private final AtomicBoolean playing;
    private final CompletableFuture<Channel> opened = new CompletableFuture<>();
    private final Map<String, Payload> payloads = new HashMap<>();
    private final NettyInbox inbox = new NettyInbox();
    private final Image image = new Image();
    private @Nullable Game game;

    /// Written since the last flush, and how much is not flushed yet at most.
    private int written;

    private final int held;

    /// Plays in this group's one loop, and says in `playing` when a burst goes on.
    ///
    /// @param held bytes of a stream that are written before they are flushed; 0: each message is
    NettyPlayer(EventLoopGroup group, AtomicBoolean playing, int held) {
        this.group = group;
        this.playing = playing;
        this.held = held;
    }

    /// What one burst does with a message that arrived, at one side.
    private abstract static class Game {
        final Channel channel;
        final Burst burst;
        final Payload payload;
        final Payload.Word acknowledgement = new Payload.Word();
        final CompletableFuture<Boolean> done = new CompletableFuture<>();
        int number;
        int sample;

        Game(Channel channel, Burst burst, Payload payload) {
            this.channel = channel;
            this.burst = burst;
            this.payload = payload;
        }

        /// What is expected next.
        abstract Payload expected();

        /// The burst begins.
        void begin() throws IOException {}

        /// What was expected has arrived.
        abstract void arrived() throws IOException;

        /// There is room for more.
        void room() throws IOException {}

        /// One sample is over.
        ///
        /// @return whether another follows
        final boolean next() {
            number = 0;
            if (++sample == burst.samples()) {
                channel.config().setAutoRead(false); // in the loop, like the next burst's true
                done.complete(true);
                return false;
            }
            return true;
        }
    }

    private final class Ping extends Game {
        private final long[] nanos;
        private long before;

        private Ping(Channel channel, Burst burst, Payload payload, long[] nanos) {
            super(channel, burst, payload);
            this.nanos = nanos;
        }

        @Override
        Payload expected() {
            return payload;
        }

        @Override
        void begin() throws IOException {
            before = System.nanoTime();
            send();
        }

        private void send() throws IOException {
            payload.rewrite(number);
            write(channel, payload);
        }

        @Override
        void arrived() throws IOException {
            payload.verify(number);
            if (++number == burst.times()) {
                nanos[sample] = System.nanoTime() - before;
                if (!next()) {
                    return;
                }
                before = System.nanoTime();
            }
            send();
        }
    }

    private final class Pong extends Game {
        private Pong(Channel channel, Burst burst, Payload payload) {
            super(channel, burst, payload);
        }

        @Override
        Payload expected() {
            return payload;
        }

        @Override
        void arrived() throws IOException {
            payload.verify(number);
            write(channel, payload);
            if (++number == burst.times()) {
                next();
            }
        }
    }

    private final class Stream extends Game {
        private final long[] nanos;
        private long before;
        private boolean sending;

        private Stream(Channel channel, Burst burst, Payload payload, long[] nanos) {
            super(channel, burst, payload);
            this.nanos = nanos;
        }

        @Override
        Payload expected() {
            return acknowledgement;
        }

        @Override
        void begin() throws IOException {
            before = System.nanoTime();
            room();
        }

        @Override
        void room() throws IOException {
            if (sending) {
                return; // a write tells of room from within itself
            }
            sending = true;
            while (number < burst.times() && channel.isWritable()) {
                payload.rewrite(number++);
                write(channel, payload);
            }
            flush(channel); // the last of a sample, and where no more may be written
            sending = false;
        }

        @Override
        void arrived() throws IOException {
            acknowledgement.verify(burst.times());
            nanos[sample] = System.nanoTime() - before;
            if (next()) {
                begin();
            }
        }
    }

    private final class Sink extends Game {
        private Sink(Channel channel, Burst burst, Payload payload) {
            super(channel, burst, payload);
        }

        @Override
        Payload expected() {
            return payload;
        }

        @Override
        void arrived() throws IOException {
            payload.verify(number);
            if (++number == burst.times()) {
                acknowledgement.rewrite(number);
                write(channel, acknowledgement);
                flush(channel);
                next();
            }
        }
    }

    @Override
    public void lead(Measure measure, Burst burst, long[] nanos) throws Exception {
        var channel = opened.get();
        var payload = payload(measure);
        play(
                channel,
                measure.kind() == Measure.Kind.PING_PONG
                        ? new Ping(channel, burst, payload, nanos)
                        : new Stream(channel, burst, payload, nanos));
    }

    @Override
    public void follow(Measure measure, Burst burst) throws Exception {
        var channel = opened.get();
        var payload = payload(measure);
        play(
                channel,
                measure.kind() == Measure.Kind.PING_PONG
                        ? new Pong(channel, burst, payload)
                        : new Sink(channel, burst, payload));
    }

    private Payload payload(Measure measure) {
        return payloads.computeIfAbsent(measure.name(), _ -> measure.payload().get());
    }

    /// Reads are on during a burst only: what comes before this side begins waits in the socket.
    private void play(Channel channel, Game next) throws Exception {
        playing.set(true);
        channel.eventLoop()
                .execute(() -> {
                    game = next;
                    try {
                        channel.config().setAutoRead(true);
                        next.begin();
                    } catch (IOException e) {
                        next.done.completeExceptionally(e);
                    }
                });
        next.done.get();
        playing.set(false);
    }

    private void write(Channel channel, Payload payload) throws IOException {
        int size = image.size(payload);
        var out = channel.alloc().directBuffer(size);
        image.put(payload, out.internalNioBuffer(0, size).order(Image.ORDER));
        out.writerIndex(size);
        written += size;
        if (written < held) {
            var _ = channel.write(out, channel.voidPromise());
        } else {
            written = 0;
            var _ = channel.writeAndFlush(out, channel.voidPromise());
        }
    }

    private void flush(Channel channel) {
        if (written > 0) {
            written = 0;
            channel.flush();
        }
    }

    /// Waits until the channel is there.
    void awaitChannel() throws Exception {
        opened.get(10, TimeUnit.SECONDS);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        if (context.channel().isActive()) {
            opened.complete(context.channel());
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        opened.complete(context.channel());
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws IOException {
        var from = (ByteBuf) message;
        var now = game;
        if (now == null) {
            throw new IOException("bytes arrived outside a burst");
        }
        try {
            while (from.isReadable() && inbox.read(from, now.expected())) {
                now.arrived();
            }
        } finally {
            from.release();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) throws IOException {
        if (game != null && context.channel().isWritable()) {
            game.room();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (game != null) {
            game.done.completeExceptionally(cause);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        exceptionCaught(context, new IOException("the other side closed the connection"));
    }

    @Override
    public void close() {
        var _ = opened.join().close().syncUninterruptibly();
        var _ = group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
