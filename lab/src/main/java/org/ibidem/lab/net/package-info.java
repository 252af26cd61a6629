/// The network laboratory: sites behind firewalls, NATs and proxies, built on one machine.
///
/// A plan (package `plan`) describes a network; [Lab] builds it, starts programs on its hosts,
/// changes its lines while they are in use, and tells what every packet met. Nothing of it touches
/// the machine's own network, and nothing of it is left when it ends.
///
/// ```java
/// try (var lab = Lab.up(Network.of(Site.of("home", Kind.NAT), Site.of("hub", Kind.OPEN)))) {
///     lab.set("home-hub", "delay=50ms loss=1%");
///     var ping = lab.machine("home1").run("ping", "-c", "3", "hub1");
/// }
/// ```
///
/// Trap: single packets may come 25 ms late on a busy machine. Count packets and round trips in a
/// [Trace]; do not time them at the ends.
@NullMarked
package org.ibidem.lab.net;

import org.jspecify.annotations.NullMarked;
