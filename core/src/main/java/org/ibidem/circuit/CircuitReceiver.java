package org.ibidem.circuit;

import org.ibidem.buffer.Frame;

/// What a circuit's frames are handed to, by whoever polls, one at a time.
public interface CircuitReceiver {
    /// A frame has come. It is lent until this returns, or where the answer is *keep*, until
    /// [Circuit#proceed]: until then nothing more comes from this member, whose frames wait where
    /// they are.
    ///
    /// The turn is in hand. Nothing may be waited for here: what is to be sent is offered, and kept
    /// where there is no room ([Circuit#claim]).
    ///
    /// @param from the member who sent it
    /// @param frame between position and limit; [Frame#MORE] in its flags: the message goes on in
    ///   this member's next frame
    /// @return whether it is done with; false: keep it
    /// @throws org.ibidem.link.LinkBroken when it is what this member may not send: the link from
    ///   it ends, and [#lost] is told by this reason
    boolean frame(int from, Frame frame);

    /// There is room again for a member who had none. The turn is in hand.
    default void room(int to) {}

    /// Nothing can be sent to a member any more: it has closed its end, or cannot be reached. What
    /// was not committed yet will not be. What it has sent may still come; [#lost] says when that
    /// is over. Told once. The turn is in hand.
    ///
    /// @param why for people
    default void closed(int to, String why) {}

    /// A member is gone, or the link with it: nothing comes from it any more. Told once, after what
    /// it had sent. The turn is in hand.
    ///
    /// @param inOrder it has closed its end of the circuit
    /// @param why for people
    void lost(int from, boolean inOrder, String why);
}
