/// The seam that everything hangs on: what a driver or filter is, and what the rooms above may ask
/// of it.
///
/// Two paradigms at system level, both first class: **frames** ([FrameLink]) and **byte streams**
/// ([ByteStream]). A network driver speaks its native one, a filter says which one it works on, and
/// `org.ibidem.stack` puts adapters in between where needed.
///
/// - A new network driver: one folder `link.NAME` with a [Driver], one `provides` line in
///   `module-info.java`.
/// - A new filter: one folder `filter.NAME` with a [FrameFilter] or [StreamFilter], one `provides`
///   line. Over several links: a [FanOut] or [FanIn]; below the driver: a [ConnectionFilter].
/// - Abilities are interfaces of their own: [Collapsing] (may be left out), [Delivering] (what may
///   become of frames), [org.ibidem.wait.Waitable] (can be waited for without looking).
/// - What both ends know of each other when a link is made: [Terms].
///
/// Traps: no heap segment ever in a frame; nobody above keeps `memory` or an offset past commit or
/// the next poll; BUSY is an answer, never a hidden queue; lengths come from the peer, so bound
/// them before use. Why it looks as it does, with figures: `docs/design/seam.md`.
package org.ibidem.link;
