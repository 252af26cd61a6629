package org.ibidem.personality.nio;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A channel that listens, seen as a socket.
final class ChannelServerSocket extends ServerSocket {
    private final MixedServerChannel channel;
    private final ServerSocket jdk;
    private volatile int timeout;

    ChannelServerSocket(MixedServerChannel channel, ServerSocket jdk) throws IOException {
        this.channel = channel;
        this.jdk = jdk;
    }

    @Override
    public void bind(@Nullable SocketAddress to) throws IOException {
        bind(to, 0);
    }

    @Override
    public void bind(@Nullable SocketAddress to, int backlog) throws IOException {
        try {
            channel.bind(to, backlog);
        } catch (IllegalStateException | IllegalArgumentException e) {
            throw Said.bySocket(e);
        }
    }

    @Override
    public Socket accept() throws IOException {
        SocketChannel next;
        try {
            next = channel.accept(timeout);
        } catch (NotYetBoundException e) {
            throw Said.bySocket(e);
        }
        if (next == null) {
            throw new IllegalBlockingModeException();
        }
        return next.socket();
    }

    @Override
    public void setSoTimeout(int millis) throws SocketException {
        requireOpen();
        if (millis < 0) {
            throw new IllegalArgumentException("timeout < 0");
        }
        timeout = millis;
    }

    @Override
    public int getSoTimeout() throws IOException {
        requireOpen();
        return timeout;
    }

    private void requireOpen() throws SocketException {
        if (!channel.isOpen()) {
            throw new SocketException("Socket is closed");
        }
    }

    @Override
    public <T> ServerSocket setOption(SocketOption<T> name, T value) throws IOException {
        channel.setOption(name, value);
        return this;
    }

    @Override
    public <T> @Nullable T getOption(SocketOption<T> name) throws IOException {
        return channel.getOption(name);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return channel.supportedOptions();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    @Override
    public ServerSocketChannel getChannel() {
        return channel;
    }

    @Override
    public boolean isBound() {
        return jdk.isBound();
    }

    @Override
    public boolean isClosed() {
        return !channel.isOpen();
    }

    @Override
    public InetAddress getInetAddress() {
        return jdk.getInetAddress();
    }

    @Override
    public int getLocalPort() {
        return jdk.getLocalPort();
    }

    @Override
    public SocketAddress getLocalSocketAddress() {
        return jdk.getLocalSocketAddress();
    }

    @Override
    public void setReuseAddress(boolean on) throws SocketException {
        jdk.setReuseAddress(on);
    }

    @Override
    public boolean getReuseAddress() throws SocketException {
        return jdk.getReuseAddress();
    }

    @Override
    public void setReceiveBufferSize(int size) throws SocketException {
        jdk.setReceiveBufferSize(size);
    }

    @Override
    public int getReceiveBufferSize() throws SocketException {
        return jdk.getReceiveBufferSize();
    }

    @Override
    public String toString() {
        return "ServerSocket[" + jdk.getLocalSocketAddress() + "]";
    }
}
