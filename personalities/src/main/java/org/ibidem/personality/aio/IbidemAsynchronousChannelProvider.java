package org.ibidem.personality.aio;

import java.io.IOException;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.IllegalChannelGroupException;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;
import org.ibidem.config.NativeChannels;
import org.ibidem.personality.sockets.Sockets;
import org.jspecify.annotations.Nullable;

/// Makes asynchronous channels that follow the rules for sockets. The JDK makes one where the
/// property `java.nio.channels.spi.AsynchronousChannelProvider` names this class.
public final class IbidemAsynchronousChannelProvider extends AsynchronousChannelProvider {
    private final AsynchronousChannelProvider jdk = NativeChannels.asynchronous();
    private final Supplier<Sockets> sockets;
    private @Nullable AioGroup usual;

    /// Follows the rules of this process ([Sockets#current]).
    public IbidemAsynchronousChannelProvider() {
        this(Sockets::current);
    }

    /// Follows these rules.
    ///
    /// @param sockets asked when the first channel connects or is bound
    public IbidemAsynchronousChannelProvider(Supplier<Sockets> sockets) {
        this.sockets = sockets;
    }

    Sockets sockets() {
        return sockets.get();
    }

    @Override
    public AsynchronousChannelGroup openAsynchronousChannelGroup(int threads, ThreadFactory factory)
            throws IOException {
        return new AioGroup(this, jdk.openAsynchronousChannelGroup(threads, factory));
    }

    @Override
    public AsynchronousChannelGroup openAsynchronousChannelGroup(ExecutorService pool, int tasks)
            throws IOException {
        return new AioGroup(this, jdk.openAsynchronousChannelGroup(pool, tasks));
    }

    @Override
    public AsynchronousServerSocketChannel openAsynchronousServerSocketChannel(
            @Nullable AsynchronousChannelGroup group) throws IOException {
        var mine = group(group);
        return new AioServerChannel(
                this, mine, jdk.openAsynchronousServerSocketChannel(mine.jdk()));
    }

    @Override
    public AsynchronousSocketChannel openAsynchronousSocketChannel(
            @Nullable AsynchronousChannelGroup group) throws IOException {
        var mine = group(group);
        return new AioSocketChannel(this, mine, jdk.openAsynchronousSocketChannel(mine.jdk()));
    }

    /// @param group null: the one of who names none
    private AioGroup group(@Nullable AsynchronousChannelGroup group) throws IOException {
        if (group == null) {
            return usual();
        }
        if (group instanceof AioGroup mine && mine.provider().equals(this)) {
            return mine;
        }
        throw new IllegalChannelGroupException();
    }

    /// Its threads end with the process, and while they have nothing to do.
    private synchronized AioGroup usual() throws IOException {
        var mine = usual;
        if (mine == null) {
            var pool =
                    Executors.newCachedThreadPool(
                            Thread.ofPlatform().daemon().name("ibidem-aio-", 0).factory());
            mine = new AioGroup(this, jdk.openAsynchronousChannelGroup(pool, 0));
            usual = mine;
        }
        return mine;
    }
}
