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
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A channel, seen as a socket.
final class ChannelSocket extends Socket {
    private final MixedSocketChannel channel;
    private volatile int timeout;

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
    public void connect(@Nullable SocketAddress to, int millis) throws IOException {
        if (to == null) {
            throw new IllegalArgumentException("connect: The address can't be null");
        }
        if (millis < 0) {
            throw new IllegalArgumentException("connect: timeout can't be negative");
        }
        try {
            waiting(to, millis);
        } catch (UnresolvedAddressException e) {
            throw Said.because(new UnknownHostException(to.toString()), e);
        } catch (IllegalStateException | IllegalArgumentException e) {
            throw Said.bySocket(e);
        }
    }

    private void waiting(SocketAddress to, int millis) throws IOException {
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
        try {
            channel.bind(to);
        } catch (IllegalStateException | IllegalArgumentException e) {
            throw Said.bySocket(e);
        }
    }

    private void requireOpen() throws SocketException {
        if (!channel.isOpen()) {
            throw new SocketException("Socket is closed");
        }
    }

    private void requireConnected() throws SocketException {
        requireOpen();
        if (!channel.isConnected()) {
            throw new SocketException("Socket is not connected");
        }
    }

    @Override
    public InputStream getInputStream() throws IOException {
        requireConnected();
        if (isInputShutdown()) {
            throw new SocketException("Socket input is shutdown");
        }
        return new Input();
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        requireConnected();
        if (isOutputShutdown()) {
            throw new SocketException("Socket output is shutdown");
        }
        return Channels.newOutputStream(channel);
    }

    /// What is read, with the time limit of the socket.
    private final class Input extends InputStream {
        @Override
        public int read() throws IOException {
            var one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] into, int at, int count) throws IOException {
            Objects.checkFromIndexSize(at, count, into.length);
            if (!channel.isBlocking()) {
                throw new IllegalBlockingModeException();
            }
            return count == 0 ? 0 : channel.read(ByteBuffer.wrap(into, at, count), timeout);
        }

        @Override
        public int available() throws IOException {
            return channel.available();
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
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
    public int getSoTimeout() throws SocketException {
        requireOpen();
        return timeout;
    }

    @Override
    public void shutdownInput() throws IOException {
        try {
            channel.shutdownInput();
        } catch (IllegalStateException e) {
            throw Said.bySocket(e);
        }
    }

    @Override
    public void shutdownOutput() throws IOException {
        try {
            channel.shutdownOutput();
        } catch (IllegalStateException e) {
            throw Said.bySocket(e);
        }
    }

    @Override
    public boolean isInputShutdown() {
        var jdk = channel.jdkSocket();
        var vlink = channel.vlink();
        return jdk == null ? vlink != null && vlink.isInputOver() : jdk.isInputShutdown();
    }

    @Override
    public boolean isOutputShutdown() {
        var jdk = channel.jdkSocket();
        var vlink = channel.vlink();
        return jdk == null ? vlink != null && vlink.isOutputOver() : jdk.isOutputShutdown();
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
        var jdk = channel.jdkSocket();
        return jdk == null ? channel.vlink() != null : jdk.isBound();
    }

    @Override
    public @Nullable SocketAddress getRemoteSocketAddress() {
        var vlink = channel.vlink();
        if (vlink != null) {
            return vlink.ends().remote();
        }
        var jdk = channel.jdkSocket();
        return jdk == null ? null : jdk.getRemoteSocketAddress();
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
    public @Nullable InetAddress getLocalAddress() {
        var vlink = channel.vlink();
        if (vlink != null && channel.isOpen()) {
            return vlink.ends().local().getAddress();
        }
        var jdk = channel.jdkSocket();
        return jdk != null ? jdk.getLocalAddress() : new InetSocketAddress(0).getAddress();
    }

    @Override
    public int getLocalPort() {
        var vlink = channel.vlink();
        if (vlink != null) {
            return vlink.ends().local().getPort();
        }
        var jdk = channel.jdkSocket();
        return jdk == null ? -1 : jdk.getLocalPort();
    }

    @Override
    public void sendUrgentData(int data) throws IOException {
        requireConnected();
        var jdk = channel.jdkSocket();
        if (jdk == null) {
            throw new SocketException("Urgent data not supported over Ibidem");
        }
        jdk.sendUrgentData(data);
    }

    @Override
    public <T> Socket setOption(SocketOption<T> name, T value) throws IOException {
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

    /// The JDK's own option, which has no name that programs can write.
    @SuppressWarnings("unchecked")
    private SocketOption<Boolean> inline() throws SocketException {
        return (SocketOption<Boolean>)
                channel.supportedOptions().stream()
                        .filter(each -> each.name().equals("SO_OOBINLINE"))
                        .findAny()
                        .orElseThrow(() -> new SocketException("SO_OOBINLINE not supported"));
    }

    @Override
    public void setOOBInline(boolean on) throws SocketException {
        set(inline(), on);
    }

    @Override
    public boolean getOOBInline() throws SocketException {
        return get(inline(), false);
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
        if (size <= 0) {
            throw new IllegalArgumentException("Invalid send size");
        }
        set(StandardSocketOptions.SO_SNDBUF, size);
    }

    @Override
    public int getSendBufferSize() throws SocketException {
        return get(StandardSocketOptions.SO_SNDBUF, 0);
    }

    @Override
    public void setReceiveBufferSize(int size) throws SocketException {
        if (size <= 0) {
            throw new IllegalArgumentException("Invalid receive size");
        }
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
