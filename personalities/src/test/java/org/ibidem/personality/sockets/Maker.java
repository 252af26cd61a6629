package org.ibidem.personality.sockets;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketImpl;

/// Makes sockets of one kind, without putting a factory in the place of the JDK's for the whole
/// process.
interface Maker {
    /// How the other end is called.
    String host();

    Socket socket() throws SocketException;

    ServerSocket server() throws IOException;

    /// A socket that stands on this.
    static Socket on(SocketImpl impl) throws SocketException {
        return new Socket(impl) {};
    }

    /// The JDK's own.
    static Maker jdk() {
        return new Maker() {
            @Override
            public String host() {
                return "127.0.0.1";
            }

            @Override
            public Socket socket() {
                return new Socket();
            }

            @Override
            public ServerSocket server() throws IOException {
                return new ServerSocket();
            }
        };
    }

    /// Ours.
    ///
    /// @param host where the rules lead
    static Maker of(Sockets client, Sockets server, String host) {
        return new Maker() {
            @Override
            public String host() {
                return host;
            }

            @Override
            public Socket socket() throws SocketException {
                return on(client.socket());
            }

            @Override
            public ServerSocket server() {
                return new Accepting(server);
            }
        };
    }

    /// Accepts sockets of our kind, as it does where the factory is installed.
    final class Accepting extends ServerSocket {
        private final Sockets sockets;

        Accepting(Sockets sockets) {
            super(sockets.server());
            this.sockets = sockets;
        }

        @Override
        public Socket accept() throws IOException {
            var next = on(sockets.socket());
            implAccept(next);
            return next;
        }
    }
}
