package org.ibidem.personality.aio;

import java.io.IOException;
import java.nio.channels.AsynchronousChannel;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.ShutdownChannelGroupException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/// Channels that share threads: those of a group of the JDK's, in which also those of them are that
/// are the JDK's.
final class AioGroup extends AsynchronousChannelGroup {
    private final AsynchronousChannelGroup jdk;
    private final Executor threads;
    private final Set<AsynchronousChannel> channels = ConcurrentHashMap.newKeySet();
    private boolean shut;

    AioGroup(IbidemAsynchronousChannelProvider owner, AsynchronousChannelGroup jdk) {
        super(owner);
        this.jdk = jdk;
        this.threads =
                jdk instanceof Executor executor
                        ? executor
                        : task -> Thread.ofVirtual().start(task);
    }

    AsynchronousChannelGroup jdk() {
        return jdk;
    }

    /// Calls a handler, in one of the threads.
    ///
    /// @throws ShutdownChannelGroupException when they have ended
    void execute(Runnable handler) {
        try {
            threads.execute(handler);
        } catch (RejectedExecutionException e) {
            var ended = new ShutdownChannelGroupException();
            ended.initCause(e);
            throw ended;
        }
    }

    /// A channel is opened.
    ///
    /// @throws ShutdownChannelGroupException when none may be any more
    synchronized void enter(AsynchronousChannel channel) {
        if (shut) {
            throw new ShutdownChannelGroupException();
        }
        channels.add(channel);
    }

    /// A channel was closed.
    void leave(AsynchronousChannel channel) {
        boolean last;
        synchronized (this) {
            channels.remove(channel);
            last = shut && channels.isEmpty();
        }
        if (last) {
            jdk.shutdown();
        }
    }

    @Override
    public synchronized boolean isShutdown() {
        return shut;
    }

    @Override
    public boolean isTerminated() {
        return jdk.isTerminated();
    }

    @Override
    public void shutdown() {
        boolean now;
        synchronized (this) {
            shut = true;
            now = channels.isEmpty();
        }
        if (now) {
            jdk.shutdown();
        }
    }

    @Override
    public void shutdownNow() throws IOException {
        synchronized (this) {
            shut = true;
        }
        for (var channel : List.copyOf(channels)) {
            channel.close();
        }
        jdk.shutdownNow();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return jdk.awaitTermination(timeout, unit);
    }
}
