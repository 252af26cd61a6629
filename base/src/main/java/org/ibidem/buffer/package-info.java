/// Memory that is shared with drivers and peers: frames, rings, pooled buffers, layouts.
///
/// Knows no other room. Every segment here is off-heap. Every length that was read from memory a
/// peer can write is read once, bounded, and only then used.
package org.ibidem.buffer;
