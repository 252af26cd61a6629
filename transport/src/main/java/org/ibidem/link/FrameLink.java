package org.ibidem.link;

/// A link that carries bounded, delimited frames: shared memory, loopback, or frames over a stream;
/// to come: RDMA.
///
/// The two directions are independent: one thread may write while another reads.
public non-sealed interface FrameLink extends Link {
    /// The direction away from here.
    FrameSink sink();

    /// The direction towards here.
    FrameSource source();
}
