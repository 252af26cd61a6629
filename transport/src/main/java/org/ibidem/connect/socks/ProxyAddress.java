package org.ibidem.connect.socks;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Where a proxy is, and how it is spoken to.
///
/// @param kind which protocol
/// @param host its name or address
/// @param port its port
/// @param login what it wants to know, or null for nothing
record ProxyAddress(Kind kind, String host, int port, @Nullable Login login) {
    private static final int LONGEST = 255;

    /// What is spoken.
    enum Kind {
        /// SOCKS5 (RFC 1928).
        SOCKS5(1080),
        /// HTTP CONNECT (RFC 9110, section 9.3.6).
        HTTP(80);

        private final int port;

        Kind(int port) {
            this.port = port;
        }
    }

    /// A user's name and password.
    ///
    /// @param user at most 255 bytes
    /// @param password at most 255 bytes
    record Login(String user, String password) {
        Login {
            if (user.getBytes(StandardCharsets.UTF_8).length > LONGEST
                    || password.getBytes(StandardCharsets.UTF_8).length > LONGEST) {
                throw new IllegalArgumentException(
                        "a name and a password for a proxy have at most 255 bytes each");
            }
        }

        /// Never the password: this may stand in a log.
        @Override
        public String toString() {
            return user + ":***";
        }
    }

    ProxyAddress {
        if (port < 1 || port > 0xffff) {
            throw new IllegalArgumentException("a proxy's port is 1 to 65535, not " + port);
        }
    }

    /// Reads `socks5://host:1080`, `http://user:password@host:3128`; letters in a name or password
    /// that mean something in it are written as `%40`.
    ///
    /// @throws IllegalArgumentException that says what would do, without a password
    static ProxyAddress parse(String text) {
        try {
            var uri = new URI(text.contains("://") ? text : "http://" + text);
            var kind = kind(uri.getScheme());
            if (uri.getHost() == null) {
                throw new IllegalArgumentException(wanted("it names no host"));
            }
            var host = uri.getHost().replaceAll("[\\[\\]]", "");
            int port = uri.getPort() < 0 ? kind.port : uri.getPort();
            return new ProxyAddress(kind, host, port, login(uri.getRawUserInfo()));
        } catch (URISyntaxException _) {
            throw new IllegalArgumentException(wanted("it is no address")); // may hold a password
        }
    }

    private static Kind kind(String scheme) {
        return switch (scheme.toLowerCase(Locale.ROOT)) {
            case "socks", "socks5", "socks5h" -> Kind.SOCKS5;
            case "http" -> Kind.HTTP;
            default ->
                    throw new IllegalArgumentException(
                            wanted("proxies that speak " + scheme + " are not known here"));
        };
    }

    private static String wanted(String why) {
        return why + ": write socks5://host:1080 or http://user:password@host:3128";
    }

    private static @Nullable Login login(@Nullable String userInfo) {
        if (userInfo == null || userInfo.isEmpty()) {
            return null;
        }
        int colon = userInfo.indexOf(':');
        var user = colon < 0 ? userInfo : userInfo.substring(0, colon);
        return new Login(decode(user), colon < 0 ? "" : decode(userInfo.substring(colon + 1)));
    }

    private static String decode(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    /// The same with this login, if it has none.
    ProxyAddress withLogin(@Nullable Login other) {
        return login == null ? new ProxyAddress(kind, host, port, other) : this;
    }

    /// Without the login, which may stand in no log.
    @Override
    public String toString() {
        var shown = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
        return kind.name().toLowerCase(Locale.ROOT) + "://" + shown + ":" + port;
    }
}
