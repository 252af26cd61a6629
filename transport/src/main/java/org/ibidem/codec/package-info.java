/// Compressors of blocks, as a service: `deflate` comes with the JDK, others with modules that
/// provide them (`zstd` with `codecs`). Whoever stores or sends a block names its codec by number,
/// so that both ends need agree on numbers alone.
///
/// To add one: implement [Codec] with a number that nobody has (1 deflate; 2 lz4 and 3 zstd are
/// taken by their names), and a `provides org.ibidem.codec.Codec` line.
package org.ibidem.codec;
