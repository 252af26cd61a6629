/// The plain way: connect to an address the peer listens on; and its other half, listening.
///
/// All addresses are tried, the likely ones first, each with a small head start over the next
/// (after RFC 8305, "Happy Eyeballs"); the first whose peer proves itself wins. Sockets are opened
/// here and in the drivers, nowhere else.
package org.ibidem.connect.direct;
