/// TLS 1.3 (RFC 8446) by the JDK's engines, between nodes that are their keys: `Engines` makes them
/// and says what a session exports (RFC 9266), `Records` encrypts and decrypts, `Binding` ties the
/// session of a link to the link's handshake. Used by the filter `tls` for data, and by the service
/// room and the hub for what they say to each other in a pool that has an authority.
///
/// Knows no socket, no thread and no clock: who has the bytes moves them.
package org.ibidem.tls;
