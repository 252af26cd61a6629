/// Bytes that become fewer where that makes a link faster: `compress`.
///
/// [CompressStream] takes bytes by blocks ([Sending]) and gives them back ([Receiving]). How hard
/// each block is compressed, if at all, [Levels] decides from what was measured, after AdOC
/// (Jeannot et al., "Adaptive online data compression", HPDC 2002). Compressing is done on tasks of
/// their own, as many in a process as leave a processor for the rest ([Workshop]).
package org.ibidem.filter.compress;
