package org.ibidem.lab.net.proxy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/// An HTTP proxy that knows CONNECT alone (RFC 9110, section 9.3.6), and Basic as the way to log in
/// (RFC 7617).
public final class HttpProxy {
    private static final int LONGEST_HEAD = 8192;
    private static final int CONNECT_MILLIS = 10_000;

    private final @Nullable String login;

    private HttpProxy(@Nullable String login) {
        this.login = login;
    }

    /// Arguments: the port, and a user and a password if it shall ask for them.
    public static void main(String[] args) throws IOException {
        var proxy =
                new HttpProxy(
                        args.length < 3
                                ? null
                                : Base64.getEncoder()
                                        .encodeToString(
                                                (args[1] + ":" + args[2])
                                                        .getBytes(StandardCharsets.UTF_8)));
        try (var server = new ServerSocket(Integer.parseInt(args[0]))) {
            while (true) {
                var client = server.accept();
                Thread.ofVirtual().start(() -> proxy.serve(client));
            }
        }
    }

    private void serve(Socket client) {
        try (client) {
            client.setTcpNoDelay(true);
            var head = head(client.getInputStream()).split("\r\n", -1);
            var request = head[0].split(" ", -1);
            var out = client.getOutputStream();
            if (request.length != 3 || !request[0].equals("CONNECT")) {
                say(out, "405 Only CONNECT");
            } else if (login != null && !knows(head)) {
                say(out, "407 Who are you\r\nProxy-Authenticate: Basic realm=\"laboratory\"");
            } else {
                connect(client, request[1]);
            }
        } catch (IOException _) {
            // one of the two has gone
        }
    }

    private boolean knows(String[] head) {
        for (var line : head) {
            var parts = line.split(":", 2);
            if (parts.length == 2
                    && parts[0].equalsIgnoreCase("Proxy-Authorization")
                    && parts[1].strip().equals("Basic " + login)) {
                return true;
            }
        }
        return false;
    }

    private static void connect(Socket client, String target) throws IOException {
        int colon = target.lastIndexOf(':');
        var host = target.substring(0, colon).replaceAll("[\\[\\]]", "");
        try (var server = new Socket()) {
            server.setTcpNoDelay(true);
            try {
                server.connect(
                        new InetSocketAddress(host, Integer.parseInt(target.substring(colon + 1))),
                        CONNECT_MILLIS);
            } catch (IOException e) {
                say(client.getOutputStream(), "502 " + e.getMessage());
                return;
            }
            say(client.getOutputStream(), "200 Connected");
            var back = Thread.ofVirtual().start(() -> copy(server, client));
            copy(client, server);
            back.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static void say(OutputStream out, String status) throws IOException {
        out.write(("HTTP/1.1 " + status + "\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
    }

    /// What comes before the empty line.
    private static String head(InputStream in) throws IOException {
        var bytes = new ByteArrayOutputStream();
        while (bytes.size() < LONGEST_HEAD) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("ended in the middle of its request");
            }
            bytes.write(next);
            var text = bytes.toString(StandardCharsets.ISO_8859_1);
            if (text.endsWith("\r\n\r\n")) {
                return text;
            }
        }
        throw new IOException("a request without end");
    }

    /// Copies to the end, and passes the end on.
    private static void copy(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
            to.shutdownOutput();
        } catch (IOException _) {
            try {
                from.close();
                to.close();
            } catch (IOException _) {
                // they are closed in any case
            }
        }
    }
}
