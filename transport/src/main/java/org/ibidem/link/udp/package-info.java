/// UDP: frames as datagrams through one socket of the node, and the paths they take. Format:
/// `docs/wire/udp.md`.
package org.ibidem.link.udp;
