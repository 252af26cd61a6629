/// The hub as a relay beside HAProxy in TCP mode: bytes a second through either, between ends that
/// do as little as can be.
@NullMarked
package org.ibidem.lab.bench.relay;

import org.jspecify.annotations.NullMarked;
