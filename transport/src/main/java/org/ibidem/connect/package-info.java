/// Ways to reach a peer: each yields a native TCP connection whose other end has proved its key.
/// Establishing a connection knows nothing of how it is used later.
///
/// A new connect method: one folder `connect.NAME` with a [ConnectMethod], one `provides` line in
/// `module-info.java`. Methods never know each other, nor the handshake: the caller brings a
/// [Check] that proves who is there.
///
/// Trap: an address is only a hint. A TCP connection that came about proves nothing; several may
/// come about at once, to different machines that reuse one private address.
package org.ibidem.connect;
