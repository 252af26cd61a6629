package org.ibidem.connect.socks;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Pattern;

/// The client's half of HTTP CONNECT (RFC 9110, section 9.3.6), with Basic login (RFC 7617).
final class HttpConnect {
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._:-]{1,255}");
    private static final Pattern STATUS =
            Pattern.compile("HTTP/1\\.[01] ([0-9]{3})( [^\r\n]{0,200})?\r?\n.*", Pattern.DOTALL);

    private final ProxyAddress proxy;
    private final Dialogue dialogue;

    /// Over a connection to the proxy.
    HttpConnect(ProxyAddress proxy, ByteChannel channel) {
        this.proxy = proxy;
        this.dialogue = new Dialogue(channel);
    }

    /// Has the proxy connect to the target; what follows on the channel is the target's.
    void connect(InetSocketAddress target) throws IOException {
        var address = target.getAddress();
        var host = address == null ? target.getHostString() : address.getHostAddress();
        if (!HOST.matcher(host).matches()) {
            throw new ProxyFailed("'" + host + "' is no name of a host");
        }
        var shown = (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + target.getPort();
        var request = new StringBuilder("CONNECT " + shown + " HTTP/1.1\r\nHost: " + shown);
        var login = proxy.login();
        if (login != null) {
            var text = login.user() + ":" + login.password();
            request.append("\r\nProxy-Authorization: Basic ")
                    .append(
                            Base64.getEncoder()
                                    .encodeToString(text.getBytes(StandardCharsets.UTF_8)));
        }
        dialogue.say(request.append("\r\n\r\n").toString().getBytes(StandardCharsets.US_ASCII));
        check(dialogue.head());
    }

    private void check(String head) {
        var status = STATUS.matcher(head);
        if (!status.matches()) {
            throw dialogue.garbage(head);
        }
        int code = Integer.parseInt(status.group(1));
        if (code / 100 != 2) {
            var said =
                    (status.group(2) == null ? "" : status.group(2))
                            .strip()
                            .replaceAll("[^ -~]", ".");
            throw new ProxyFailed(
                    "the proxy says " + (code + " " + said).strip() + ": " + advice(code));
        }
    }

    private String advice(int code) {
        return switch (code) {
            case 401, 407 ->
                    proxy.login() == null
                            ? "set ibidem.proxy=http://USER:PASSWORD@HOST:PORT"
                            : "it does not know this name and password";
            case 403, 405 ->
                    "it does not connect to this port; many allow 443 alone, so have the other end"
                            + " listen there";
            case 500, 502, 503, 504 -> "it could not connect to there";
            default -> "it will not";
        };
    }
}
