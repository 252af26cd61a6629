package org.ibidem.personality.sockets;

import java.io.FileDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.ibidem.personality.vio.VioSocket;
import org.ibidem.vlink.Posted;
import org.ibidem.vlink.VLink;
import org.jspecify.annotations.Nullable;

/// A socket that becomes a VLink or one of the JDK's when it is connected, accepted or bound.
final class IbidemSocketImpl extends SocketImpl implements LocalPorts.End {
    static final Map<Integer, Object> USUAL =
            Map.of(
                    SO_TIMEOUT,
                    0,
                    TCP_NODELAY,
                    false,
                    SO_LINGER,
                    -1,
                    SO_KEEPALIVE,
                    false,
                    SO_OOBINLINE,
                    false,
                    SO_REUSEADDR,
                    false,
                    SO_REUSEPORT,
                    false,
                    SO_SNDBUF,
                    64 << 10,
                    SO_RCVBUF,
                    64 << 10,
                    IP_TOS,
                    0);

    static final Map<SocketOption<?>, Integer> NUMBERS =
            Map.of(
                    StandardSocketOptions.TCP_NODELAY, TCP_NODELAY,
                    StandardSocketOptions.SO_LINGER, SO_LINGER,
                    StandardSocketOptions.SO_KEEPALIVE, SO_KEEPALIVE,
                    StandardSocketOptions.SO_REUSEADDR, SO_REUSEADDR,
                    StandardSocketOptions.SO_REUSEPORT, SO_REUSEPORT,
                    StandardSocketOptions.SO_SNDBUF, SO_SNDBUF,
                    StandardSocketOptions.SO_RCVBUF, SO_RCVBUF,
                    StandardSocketOptions.IP_TOS, IP_TOS);

    /// One that had no number yet when options had numbers.
    private static final Integer OTHER = -1;

    private final Sockets sockets;
    private final boolean server;
    private final Map<Integer, Object> options = new ConcurrentHashMap<>();
    private final Kept others = new Kept();
    private volatile @Nullable NativeSocket jdk;
    private volatile @Nullable VioSocket vio;
    private volatile @Nullable Entrance entrance;
    private volatile @Nullable Posted<VLink> connecting;
    private volatile boolean closed;

    /// The JDK's leads to a program of this machine that is known by another address.
    private volatile boolean isBeside;

    IbidemSocketImpl(Sockets sockets, boolean server) {
        this.sockets = sockets;
        this.server = server;
    }

    @Override
    protected void create(boolean stream) throws IOException {
        if (!stream) {
            throw new SocketException("datagrams by Socket are not supported");
        }
        var made = NativeSocket.of(server);
        made.create();
        jdk = made;
    }

    private NativeSocket jdk() throws SocketException {
        var mine = jdk;
        if (mine == null) {
            throw new SocketException(closed ? "Socket closed" : "Socket not created");
        }
        return mine;
    }

    @Override
    protected void connect(String host, int port) throws IOException {
        connect(new InetSocketAddress(host, port), 0);
    }

    @Override
    protected void connect(InetAddress to, int port) throws IOException {
        connect(new InetSocketAddress(to, port), 0);
    }

    @Override
    protected void connect(SocketAddress to, int millis) throws IOException {
        if (!(to instanceof InetSocketAddress there)) {
            throw new IOException("Unsupported address type");
        }
        var target = sockets.target(there);
        if (target == null) {
            jdk().connect(to, millis);
            return;
        }
        int local = sockets.localPorts().of(this, jdk().localPort());
        address = Sockets.known(there, target).getAddress();
        port = there.getPort();
        var way = sockets.way(target, there.getPort(), local, millis);
        switch (way) {
            case Sockets.Beside beside -> connectBeside(beside, millis);
            case Sockets.Carried(var posted) -> {
                connecting = posted;
                if (closed) {
                    posted.cancel();
                }
                var made = Sockets.await(posted, millis);
                localport = local;
                become(made);
            }
        }
    }

    private void connectBeside(Sockets.Beside beside, int millis) throws IOException {
        var mine = jdk();
        if (beside.from() != null && mine.localPort() <= 0) {
            mine.bind(beside.from(), 0);
        }
        mine.connect(beside.at(), millis);
        isBeside = true;
    }

    private void become(VioSocket made) throws IOException {
        vio = made;
        var mine = jdk;
        jdk = null;
        if (mine != null) {
            mine.close(); // its place in the system is not needed
        }
        if (closed) {
            made.close();
            throw new SocketException("Socket closed");
        }
    }

    @Override
    protected void bind(InetAddress host, int to) throws IOException {
        jdk().bind(host, to);
        localport = jdk().localPort();
        address = host;
    }

    @Override
    protected void listen(int backlog) throws IOException {
        var mine = jdk();
        var entry = sockets.rules().entry(localport);
        if (entry != Rules.Entry.VLINK) {
            mine.listen(backlog);
        }
        if (entry == Rules.Entry.NATIVE) {
            return;
        }
        var listener = sockets.listen(localport, backlog < 1 ? 50 : backlog);
        // Bound, the socket keeps others from the port where it does not listen itself.
        entrance = new Entrance(listener, entry == Rules.Entry.VLINK ? null : mine);
    }

    @Override
    protected void accept(SocketImpl to) throws IOException {
        if (!(to instanceof IbidemSocketImpl next)) {
            throw new IOException(to.getClass() + " cannot be accepted by " + getClass());
        }
        var here = entrance;
        if (here == null) {
            next.jdk = jdk().accept();
            return;
        }
        var come = here.accept((Integer) option(SO_TIMEOUT));
        if (come.socket() != null) {
            next.jdk = come.socket();
        } else {
            next.accepted(Objects.requireNonNull(come.link()), localport);
        }
    }

    private void accepted(VLink link, int at) throws IOException {
        var from = Sockets.remote(link);
        address = from.getAddress();
        port = from.getPort();
        localport = at;
        become(new VioSocket(link));
    }

    @Override
    protected InputStream getInputStream() throws IOException {
        var mine = vio;
        return mine == null ? jdk().input() : new Input(mine);
    }

    @Override
    protected OutputStream getOutputStream() throws IOException {
        var mine = vio;
        return mine == null ? jdk().output() : mine.output();
    }

    private final class Input extends InputStream {
        private final VioSocket from;

        Input(VioSocket from) {
            this.from = from;
        }

        @Override
        public int read() throws IOException {
            var one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] into, int at, int count) throws IOException {
            return from.read(into, at, count, (Integer) option(SO_TIMEOUT));
        }

        @Override
        public int available() {
            return from.available();
        }

        @Override
        public void close() throws IOException {
            IbidemSocketImpl.this.close();
        }
    }

    @Override
    protected int available() throws IOException {
        var mine = vio;
        if (closed) {
            throw new SocketException("Socket closed");
        }
        return mine == null ? jdk().available() : mine.available();
    }

    @Override
    public boolean isOpen() {
        return !closed;
    }

    @Override
    protected void close() throws IOException {
        closed = true;
        var posted = connecting;
        if (posted != null) {
            posted.cancel();
        }
        var mine = vio;
        if (mine != null) {
            if (Objects.equals(options.get(SO_LINGER), 0)) {
                mine.abort("it was closed with a linger of 0");
            } else {
                mine.close();
            }
        }
        var open = entrance;
        if (open != null) {
            open.close();
        }
        var native_ = jdk;
        if (native_ != null) {
            native_.close();
        }
    }

    @Override
    protected void shutdownInput() throws IOException {
        var mine = vio;
        if (mine == null) {
            jdk().shutdownInput();
        } else {
            mine.shutdownInput();
        }
    }

    @Override
    protected void shutdownOutput() throws IOException {
        var mine = vio;
        if (mine == null) {
            jdk().shutdownOutput();
        } else {
            mine.shutdownOutput();
        }
    }

    @Override
    protected boolean supportsUrgentData() {
        return vio == null;
    }

    @Override
    protected void sendUrgentData(int data) throws IOException {
        if (vio != null) {
            throw new SocketException("Urgent data not supported over Ibidem");
        }
        jdk().sendUrgentData(data);
    }

    @Override
    protected FileDescriptor getFileDescriptor() {
        var mine = jdk;
        return mine == null ? fd : mine.descriptor();
    }

    @Override
    protected InetAddress getInetAddress() {
        var mine = jdk;
        return mine == null || isBeside ? address : mine.address();
    }

    @Override
    protected int getPort() {
        var mine = jdk;
        return mine == null || isBeside ? port : mine.port();
    }

    @Override
    protected int getLocalPort() {
        var mine = jdk;
        return mine == null ? localport : mine.localPort();
    }

    @Override
    public void setOption(int name, Object value) throws SocketException {
        if (closed) {
            throw new SocketException("Socket closed");
        }
        options.put(
                name,
                name == SO_LINGER && Boolean.FALSE.equals(value) ? Integer.valueOf(-1) : value);
        var mine = jdk;
        if (mine != null) {
            mine.option(name, value);
        }
    }

    @Override
    public Object getOption(int name) throws SocketException {
        if (closed) {
            throw new SocketException("Socket closed");
        }
        var mine = jdk;
        // A server's own waits are ours: its socket of the JDK has no time limit.
        return mine == null || name == SO_TIMEOUT ? option(name) : mine.option(name);
    }

    private Object option(int name) throws SocketException {
        if (name == SO_BINDADDR) {
            return InetAddress.getLoopbackAddress();
        }
        var value = options.get(name);
        if (value == null) {
            value = USUAL.get(name);
        }
        if (value == null) {
            throw new SocketException("Unsupported socket option " + name);
        }
        return value;
    }

    private Integer number(SocketOption<?> name) {
        return NUMBERS.getOrDefault(name, OTHER);
    }

    @Override
    protected <T> void setOption(SocketOption<T> name, T value) throws IOException {
        var mine = jdk;
        if (mine != null) {
            mine.option(name, value); // it knows what may be
        } else if (!supportedOptions().contains(name)) {
            throw new UnsupportedOperationException("'" + name + "' not supported over Ibidem");
        }
        var number = number(name);
        if (number.equals(OTHER)) {
            others.set(name, value);
        } else {
            options.put(number, Kept.checked(name, value));
        }
    }

    @Override
    @SuppressWarnings("unchecked")
    protected <T> T getOption(SocketOption<T> name) throws IOException {
        var mine = jdk;
        if (mine != null) {
            return mine.option(name);
        }
        if (!supportedOptions().contains(name)) {
            throw new UnsupportedOperationException("'" + name + "' not supported over Ibidem");
        }
        var number = number(name);
        return number.equals(OTHER) ? others.get(name) : (T) option(number);
    }

    @Override
    protected Set<SocketOption<?>> supportedOptions() {
        var mine = jdk;
        return mine == null ? sockets.options() : mine.options();
    }
}
