/// Two processes on one Linux machine: rings in a mapping of a file in `/dev/shm`, and a socket as
/// doorbell.
///
/// Traps: the file's name must be gone before the link is used; its pages must be reserved by
/// writing, those of a larger place before the ring moves there; the mapping outlives the link
/// until nobody refers to it; a file cut short by the peer is an `InternalError`, caught in `link`,
/// in filters and in `port`, but a crash where a routine of the JVM sums up or compresses in it:
/// copy first.
package org.ibidem.link.shm;
