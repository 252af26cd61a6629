/// Through proxies: out by SOCKS5 or HTTP CONNECT, in by SOCKS5's BIND, for which both ends have to
/// agree through a broker.
///
/// Proxies are known from the setting `ibidem.proxy`, from what the JVM was told, and from the
/// environment. The JDK's own client cannot be used: it is of the older sockets, without BIND.
///
/// Traps. A proxy may lie: that it connected proves nothing, the peer's key does. Nothing behind
/// its last byte may be read with it. Its password belongs into no message. A name that only it can
/// look up stays a name.
package org.ibidem.connect.socks;
