package org.ibidem.lab.bench.duel;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import org.ibidem.lab.bench.Meeting;
import org.jspecify.annotations.Nullable;

/// The [Meeting] of the two sides: a listener at the one that follows, and one connection to talk
/// over.
final class Encounter implements Meeting, AutoCloseable {
    private final boolean leads;
    private final Path folder;
    private @Nullable ServerSocketChannel listener;
    private @Nullable SocketChannel talk;
    private int port;

    Encounter(boolean leads, Path folder) {
        this.leads = leads;
        this.folder = folder;
    }

    /// Called first without port at the side that follows, then with that port at the side that
    /// leads.
    ///
    /// @return the port of the listener
    int meet(int known) throws IOException {
        if (leads) {
            port = known;
            talk = connect();
        } else {
            var server =
                    ServerSocketChannel.open()
                            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            listener = server;
            port = server.socket().getLocalPort();
        }
        return port;
    }

    @Override
    public boolean leads() {
        return leads;
    }

    @Override
    public void tell(String text) throws IOException {
        new DataOutputStream(Channels.newOutputStream(talk())).writeUTF(text);
    }

    @Override
    public String hear() throws IOException {
        return new DataInputStream(Channels.newInputStream(talk())).readUTF();
    }

    private SocketChannel talk() throws IOException {
        if (talk == null) {
            talk = accept(); // the leader's first connection, which waits in the backlog
        }
        return talk;
    }

    @Override
    public Path folder() {
        return folder;
    }

    @Override
    public SocketChannel socket() throws IOException {
        talk(); // so that the connection to talk over is not taken for this one
        var channel = leads ? connect() : accept();
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        return channel;
    }

    private SocketChannel connect() throws IOException {
        return SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    private SocketChannel accept() throws IOException {
        if (listener == null) {
            throw new IllegalStateException("the sides have not met");
        }
        return listener.accept();
    }

    @Override
    public void close() throws IOException {
        if (talk != null) {
            talk.close();
        }
        if (listener != null) {
            listener.close();
        }
    }
}
