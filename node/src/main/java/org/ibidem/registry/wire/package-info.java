/// What a node and its hub say to each other on the bootstrap link: [Request]s and [Reply]s, and
/// their coding.
///
/// Bytes, bounds and the rule for versions are in `docs/wire/registry.md`; the vectors beside it
/// hold for any implementation. Values only; nothing here does I/O. Exported to the module `hub`
/// alone.
///
/// A new message: a record here, a code in its coding, a line in the page, a vector.
package org.ibidem.registry.wire;
