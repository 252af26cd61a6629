package org.ibidem.lab.net.plan;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/// A proxy on a site's gateway, for the hosts of the site: a way out where there is no other.
///
/// @param protocol which
/// @param port on the gateway's inside address
/// @param bind whether SOCKS's BIND is offered
/// @param login name and password it asks for, or null when everybody may use it
public record Proxy(Protocol protocol, int port, boolean bind, @Nullable Login login)
        implements Serializable {

    /// What is spoken to it.
    public enum Protocol {
        /// SOCKS5 (RFC 1928, 1929), by dante.
        SOCKS,
        /// HTTP CONNECT (RFC 9110).
        HTTP
    }

    /// What a user gives to be let through.
    ///
    /// @param user the name
    /// @param password its password
    public record Login(String user, String password) implements Serializable {}

    /// A SOCKS5 proxy that only connects.
    public static Proxy socks(int port) {
        return new Proxy(Protocol.SOCKS, port, false, null);
    }

    /// An HTTP proxy.
    public static Proxy http(int port) {
        return new Proxy(Protocol.HTTP, port, false, null);
    }

    /// The same, offering BIND too.
    public Proxy withBind() {
        return new Proxy(protocol, port, true, login);
    }

    /// The same, for who has this name and password.
    public Proxy withLogin(String user, String password) {
        return new Proxy(protocol, port, bind, new Login(user, password));
    }
}
