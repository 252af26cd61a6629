package org.ibidem.connect.socks;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ByteChannel;
import java.nio.charset.StandardCharsets;
import org.ibidem.Visible;
import org.ibidem.connect.socks.ProxyAddress.Login;
import org.jspecify.annotations.Nullable;

/// The client's half of SOCKS5 (RFC 1928), with name and password (RFC 1929).
final class Socks5 {
    private static final int VERSION = 5;
    private static final int CONNECT = 1;
    private static final int BIND = 2;
    private static final int IPV4 = 1;
    private static final int NAME = 3;
    private static final int IPV6 = 4;
    private static final int OPEN_TO_ALL = 0;
    private static final int WITH_LOGIN = 2;
    private static final int LOGIN_VERSION = 1;
    private static final int NO_WAY_IN = 0xff;
    private static final int LONGEST_NAME = 255;

    private final ProxyAddress proxy;
    private final Dialogue dialogue;

    /// Over a connection to the proxy.
    Socks5(ProxyAddress proxy, ByteChannel channel) {
        this.proxy = proxy;
        this.dialogue = new Dialogue(channel);
    }

    /// Has the proxy connect to the target; what follows on the channel is the target's.
    void connect(InetSocketAddress target) throws IOException {
        enter();
        request(CONNECT, target);
        reply();
    }

    /// Has the proxy listen.
    ///
    /// @param expected who will connect; the proxy may refuse others
    /// @return where; an unspecified address stands for the proxy's own
    InetSocketAddress bind(InetSocketAddress expected) throws IOException {
        enter();
        request(BIND, expected);
        return reply();
    }

    /// Waits until somebody has connected there; what follows on the channel is his.
    ///
    /// @return from where
    InetSocketAddress accepted() throws IOException {
        return reply();
    }

    private void enter() throws IOException {
        var login = proxy.login();
        dialogue.say(
                login == null
                        ? new byte[] {VERSION, 1, OPEN_TO_ALL}
                        : new byte[] {VERSION, 2, OPEN_TO_ALL, WITH_LOGIN});
        var choice = dialogue.hear(2);
        if (choice[0] != VERSION) {
            throw dialogue.garbage(choice);
        }
        switch (choice[1] & 0xff) {
            case OPEN_TO_ALL -> {
                // nothing more is asked
            }
            case WITH_LOGIN -> identify(login, choice);
            case NO_WAY_IN ->
                    throw new ProxyFailed(
                            login == null
                                    ? "the proxy wants a name and a password: set"
                                            + " ibidem.proxy=socks5://USER:PASSWORD@HOST:PORT"
                                    : "the proxy takes neither anybody nor a name and a password");
            default -> throw dialogue.garbage(choice);
        }
    }

    private void identify(@Nullable Login login, byte[] choice) throws IOException {
        if (login == null) {
            throw dialogue.garbage(choice); // it was not offered
        }
        var out = new ByteArrayOutputStream();
        out.write(LOGIN_VERSION);
        for (var text : new String[] {login.user(), login.password()}) {
            var bytes = text.getBytes(StandardCharsets.UTF_8);
            out.write(bytes.length);
            out.writeBytes(bytes);
        }
        dialogue.say(out.toByteArray());
        if (dialogue.hear(2)[1] != 0) {
            throw new ProxyFailed(
                    "the proxy does not know the user '"
                            + login.user()
                            + "', or not with this password");
        }
    }

    private void request(int command, InetSocketAddress target) throws IOException {
        var out = new ByteArrayOutputStream();
        out.write(VERSION);
        out.write(command);
        out.write(0);
        var address = target.getAddress();
        if (address == null) {
            var name = target.getHostString().getBytes(StandardCharsets.UTF_8);
            if (name.length > LONGEST_NAME) {
                throw new ProxyFailed("a host's name has at most 255 bytes");
            }
            out.write(NAME);
            out.write(name.length);
            out.writeBytes(name);
        } else {
            var bytes = address.getAddress();
            out.write(bytes.length == Integer.BYTES ? IPV4 : IPV6);
            out.writeBytes(bytes);
        }
        out.write(target.getPort() >> 8);
        out.write(target.getPort());
        dialogue.say(out.toByteArray());
    }

    private InetSocketAddress reply() throws IOException {
        var head = dialogue.hear(4);
        if (head[0] != VERSION) {
            throw dialogue.garbage(head);
        }
        if (head[1] != 0) {
            throw new ProxyFailed(reason(head[1] & 0xff));
        }
        return switch (head[3]) {
            case IPV4 -> at(dialogue.hear(4), dialogue.hear(2));
            case IPV6 -> at(dialogue.hear(16), dialogue.hear(2));
            case NAME -> {
                var name = dialogue.hear(dialogue.hear(1)[0] & 0xff);
                int port = port(dialogue.hear(2));
                var host = new String(name, StandardCharsets.US_ASCII);
                if (!Visible.is(host)) {
                    throw dialogue.garbage(name);
                }
                yield InetSocketAddress.createUnresolved(host, port);
            }
            default -> throw dialogue.garbage(head);
        };
    }

    private static InetSocketAddress at(byte[] address, byte[] port) throws IOException {
        return new InetSocketAddress(InetAddress.getByAddress(address), port(port));
    }

    private static int port(byte[] bytes) {
        return (bytes[0] & 0xff) << 8 | (bytes[1] & 0xff);
    }

    private static String reason(int code) {
        return switch (code) {
            case 2 -> "the proxy's rules do not allow this";
            case 3 -> "the proxy cannot reach that network";
            case 4 -> "the proxy cannot reach that host";
            case 5 -> "refused: nobody listens there, says the proxy";
            case 6 -> "the proxy got no answer from there";
            case 7 -> "the proxy does not offer this";
            case 8 -> "the proxy does not know addresses of this family";
            default -> "the proxy could not (its reply is " + code + ")";
        };
    }
}
