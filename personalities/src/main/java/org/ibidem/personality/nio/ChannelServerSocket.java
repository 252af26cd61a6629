package org.ibidem.personality.nio;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.ServerSocketChannel;
import org.jspecify.annotations.Nullable;

/// A channel that listens, seen as a socket.
final class ChannelServerSocket extends ServerSocket {
    private final MixedServerChannel channel;
    private final ServerSocket jdk;

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
        channel.bind(to, backlog);
    }

    @Override
    public Socket accept() throws IOException {
        var next = channel.accept();
        if (next == null) {
            throw new IllegalBlockingModeException();
        }
        return next.socket();
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
