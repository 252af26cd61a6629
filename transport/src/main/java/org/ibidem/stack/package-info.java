/// Stacks: the text `checksum > tls > tcp`, its value, and the link that it describes.
///
/// [Stack] parses, checks and builds; between what works on frames and what works on byte streams
/// it puts [FramesOverStream] or [StreamOverFrames]. [Domains] keeps what each network driver has
/// open at one node.
package org.ibidem.stack;
