/// Bytes in a folder that are there after a crash: a [Journal] that begins with an image of
/// somebody's state and goes on with what was commanded since. Knows nothing of pools.
///
/// The format is in `docs/wire/journal.md`, why it is so in `docs/design/registry.md`. What it
/// promises: what was appended is read again, in order, whole, or the reader is told where the file
/// is damaged. Only the last unit can be half written, because the one before was forced to the
/// disk first; it is left out.
///
/// Traps: a write that failed may be repeated, a force that failed may not (the kernel may have
/// thrown the pages away). Closing any channel to the lock file gives up the lock.
package org.ibidem.hub.journal;
