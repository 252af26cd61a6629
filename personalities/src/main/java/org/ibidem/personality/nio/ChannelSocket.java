package org.ibidem.personality.nio;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.channels.Channels;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A channel, seen as a socket. Its streams have no time limit.
final class ChannelSocket extends Socket {
    private final MixedSocketChannel channel;

    ChannelSocket(MixedSocketChannel channel) {
        this.channel = channel;
    }

    @Override
    public SocketChannel getChannel() {
        return channel;
    }

    @Override
    public void connect(SocketAddress to) throws IOException {
        connect(to, 0);
    }

    @Override
    public void connect(SocketAddress to, int millis) throws IOException {
        if (millis < 0) {
            throw new IllegalArgumentException("connect: the time limit is negative");
        }
        if (!channel.isBlocking()) {
            throw new IllegalBlockingModeException();
        }
        if (millis == 0) {
            channel.connect(to);
            return;
        }
        channel.configureBlocking(false);
        try (var selector = channel.provider().openSelector()) {
            channel.register(selector, SelectionKey.OP_CONNECT);
            connect(to, selector, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis));
        } finally {
            if (channel.isOpen()) {
                channel.configureBlocking(true);
            }
        }
    }

    private void connect(SocketAddress to, Selector selector, long end) throws IOException {
        boolean done = channel.connect(to);
        while (!done) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left <= 0) {
                channel.close();
                throw new SocketTimeoutException("Connect timed out");
            }
            selector.select(left);
            if (Thread.currentThread().isInterrupted()) {
                channel.close();
                throw new ClosedByInterruptException();
            }
            done = channel.finishConnect();
        }
    }

    @Override
    public void bind(@Nullable SocketAddress to) throws IOException {
        channel.bind(to);
    }

    @Override
    public InputStream getInputStream() {
        return Channels.newInputStream(channel);
    }

    @Override
    public OutputStream getOutputStream() {
        return Channels.newOutputStream(channel);
    }

    @Override
    public void shutdownInput() throws IOException {
        channel.shutdownInput();
    }

    @Override
    public void shutdownOutput() throws IOException {
        channel.shutdownOutput();
    }

    @Override
    public boolean isInputShutdown() {
        var jdk = channel.jdkSocket();
        return jdk == null ? channel.isInputOver() : jdk.isInputShutdown();
    }

    @Override
    public boolean isOutputShutdown() {
        var jdk = channel.jdkSocket();
        return jdk == null ? channel.isOutputOver() : jdk.isOutputShutdown();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    @Override
    public boolean isClosed() {
        return !channel.isOpen();
    }

    @Override
    public boolean isConnected() {
        return channel.isConnected();
    }

    @Override
    public boolean isBound() {
        return getLocalSocketAddress() != null;
    }

    @Override
    public @Nullable SocketAddress getRemoteSocketAddress() {
        try {
            return channel.isConnected() ? channel.getRemoteAddress() : null;
        } catch (IOException e) {
            return null; // it is closed
        }
    }

    @Override
    public @Nullable SocketAddress getLocalSocketAddress() {
        try {
            return channel.getLocalAddress();
        } catch (IOException e) {
            return null; // it is closed
        }
    }

    @Override
    public @Nullable InetAddress getInetAddress() {
        return getRemoteSocketAddress() instanceof InetSocketAddress at ? at.getAddress() : null;
    }

    @Override
    public int getPort() {
        return getRemoteSocketAddress() instanceof InetSocketAddress at ? at.getPort() : 0;
    }

    @Override
    public InetAddress getLocalAddress() {
        return getLocalSocketAddress() instanceof InetSocketAddress at
                ? at.getAddress()
                : InetAddress.getLoopbackAddress();
    }

    @Override
    public int getLocalPort() {
        return getLocalSocketAddress() instanceof InetSocketAddress at ? at.getPort() : -1;
    }

    private <T> void set(SocketOption<T> name, T value) throws SocketException {
        try {
            channel.setOption(name, value);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private static SocketException failed(IOException e) {
        return e instanceof SocketException known
                ? known
                : new SocketException("Socket is closed", e);
    }

    private <T> T get(SocketOption<T> name, T otherwise) throws SocketException {
        try {
            var value = channel.getOption(name);
            return value == null ? otherwise : value;
        } catch (IOException e) {
            throw failed(e);
        }
    }

    @Override
    public void setTcpNoDelay(boolean on) throws SocketException {
        set(StandardSocketOptions.TCP_NODELAY, on);
    }

    @Override
    public boolean getTcpNoDelay() throws SocketException {
        return get(StandardSocketOptions.TCP_NODELAY, false);
    }

    @Override
    public void setKeepAlive(boolean on) throws SocketException {
        set(StandardSocketOptions.SO_KEEPALIVE, on);
    }

    @Override
    public boolean getKeepAlive() throws SocketException {
        return get(StandardSocketOptions.SO_KEEPALIVE, false);
    }

    @Override
    public void setReuseAddress(boolean on) throws SocketException {
        set(StandardSocketOptions.SO_REUSEADDR, on);
    }

    @Override
    public boolean getReuseAddress() throws SocketException {
        return get(StandardSocketOptions.SO_REUSEADDR, false);
    }

    @Override
    public void setSoLinger(boolean on, int seconds) throws SocketException {
        set(StandardSocketOptions.SO_LINGER, on ? seconds : -1);
    }

    @Override
    public int getSoLinger() throws SocketException {
        return get(StandardSocketOptions.SO_LINGER, -1);
    }

    @Override
    public void setSendBufferSize(int size) throws SocketException {
        set(StandardSocketOptions.SO_SNDBUF, size);
    }

    @Override
    public int getSendBufferSize() throws SocketException {
        return get(StandardSocketOptions.SO_SNDBUF, 0);
    }

    @Override
    public void setReceiveBufferSize(int size) throws SocketException {
        set(StandardSocketOptions.SO_RCVBUF, size);
    }

    @Override
    public int getReceiveBufferSize() throws SocketException {
        return get(StandardSocketOptions.SO_RCVBUF, 0);
    }

    @Override
    public void setTrafficClass(int bits) throws SocketException {
        set(StandardSocketOptions.IP_TOS, bits);
    }

    @Override
    public int getTrafficClass() throws SocketException {
        return get(StandardSocketOptions.IP_TOS, 0);
    }

    @Override
    public String toString() {
        return "Socket[" + channel + "]";
    }
}
