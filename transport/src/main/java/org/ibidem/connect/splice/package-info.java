/// Simultaneous open: both ends connect to each other at once, so that a firewall before each takes
/// the other's SYN for an answer. Both leave from a port whose outside mapping an observer has told
/// them, and tell each other through a broker.
///
/// What it gets past: stateful firewalls that drop or reject, and NATs that map a port the same way
/// whoever is spoken to; not a NAT that takes another port for each one spoken to, nor two
/// firewalls that drop every SYN from outside. `docs/lab.md` has the pairs.
///
/// Traps. A refusal means nothing yet. A port connects to itself, without anybody else. A private
/// address may be another machine's here. A connection may stand at one end while the other has
/// just given the attempt up.
package org.ibidem.connect.splice;
