package org.ibidem.connect;

import org.ibidem.topology.Contact;

/// A method whose two ends have to agree before they can connect. One end's [ConnectMethod#connect]
/// makes a proposal through the [Broker]; it arrives here, at the other end.
///
/// The end that asked for the connection also begins the handshake on it, whoever dialled: so the
/// check given here is the one for the end that is asked.
public interface Brokered extends ConnectMethod {
    /// Looks at a proposal, begins with this end's part of it in a task of its own, and says what
    /// the other end is to know.
    ///
    /// @param peer who proposes, proved by the broker
    /// @param proposal bytes of the peer: anything may be in them
    /// @param check proves who is there, and takes the connection over; its result goes nowhere
    ///   else
    /// @return the answer
    /// @throws org.ibidem.IbidemException when it cannot be done here; the message tells the peer
    ///   why
    /// @throws org.ibidem.buffer.Malformed when the proposal is none
    byte[] join(Contact peer, byte[] proposal, Check<?> check, MethodContext context);
}
