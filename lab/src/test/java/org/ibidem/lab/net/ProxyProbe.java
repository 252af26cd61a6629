package org.ibidem.lab.net;

import java.io.IOException;
import java.net.Authenticator;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PasswordAuthentication;
import java.net.Proxy;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/// What a [Probe] does with proxies. Arguments: the proxy's address and port, user and password
/// (`-` for none), and the address and port to be reached.
final class ProxyProbe {
    private static final int MILLIS = 10_000;

    private final InetSocketAddress proxy;
    private final String user;
    private final String password;
    private final InetSocketAddress target;

    ProxyProbe(String[] words) {
        proxy = new InetSocketAddress(words[0], Integer.parseInt(words[1]));
        user = words[2];
        password = words[3];
        target = new InetSocketAddress(words[4], Integer.parseInt(words[5]));
    }

    String perform(String verb) throws IOException {
        return switch (verb) {
            case "socks" -> socks();
            case "bind" -> bind();
            default -> tunnel();
        };
    }

    /// Connects with the JDK's own SOCKS client, and says as whom a listener sees us.
    private String socks() throws IOException {
        Authenticator.setDefault(
                new Authenticator() {
                    @Override
                    protected PasswordAuthentication getPasswordAuthentication() {
                        return user.equals("-")
                                ? null
                                : new PasswordAuthentication(user, password.toCharArray());
                    }
                });
        try (var socket = new Socket(new Proxy(Proxy.Type.SOCKS, proxy))) {
            socket.setSoTimeout(MILLIS);
            socket.connect(target, MILLIS);
            return Probe.line(socket.getInputStream());
        }
    }

    /// Asks for a port outside to which the target connects, and says which it is, or `refused` and
    /// the reply's number.
    private String bind() throws IOException {
        try (var socket = new Socket()) {
            socket.connect(proxy, MILLIS);
            socket.setSoTimeout(MILLIS);
            var out = socket.getOutputStream();
            var in = socket.getInputStream();
            out.write(new byte[] {5, 1, 0});
            in.readNBytes(2);
            out.write(new byte[] {5, 2, 0, 1});
            out.write(target.getAddress().getAddress());
            out.write(new byte[] {(byte) (target.getPort() >> 8), (byte) target.getPort()});
            var reply = in.readNBytes(10);
            if (reply.length < 10 || reply[1] != 0) {
                return "refused " + (reply.length < 2 ? -1 : reply[1]);
            }
            var at = InetAddress.getByAddress(new byte[] {reply[4], reply[5], reply[6], reply[7]});
            int port = (reply[8] & 0xff) << 8 | (reply[9] & 0xff);
            return at.getHostAddress() + " " + port;
        }
    }

    /// Connects by HTTP CONNECT, and says the status and as whom a listener sees us.
    private String tunnel() throws IOException {
        try (var socket = new Socket()) {
            socket.connect(proxy, MILLIS);
            socket.setSoTimeout(MILLIS);
            var to = target.getAddress().getHostAddress() + ":" + target.getPort();
            var login =
                    Base64.getEncoder()
                            .encodeToString(
                                    (user + ":" + password).getBytes(StandardCharsets.UTF_8));
            Probe.line(
                    socket,
                    "CONNECT "
                            + to
                            + " HTTP/1.1\r\nHost: "
                            + to
                            + "\r"
                            + (user.equals("-")
                                    ? ""
                                    : "\nProxy-Authorization: Basic " + login + "\r")
                            + "\n\r");
            var in = socket.getInputStream();
            var status = Probe.line(in).split(" ", -1)[1];
            while (!Probe.line(in).equals("\r")) {
                // headers
            }
            return status.equals("200") ? "200 " + Probe.line(in) : status;
        }
    }
}
