package org.ibidem.trust;

import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.ControlWriter;

/// What is said at a hub by who invites into a pool and by who has been given a code:
/// `docs/wire/invitation.md`. The hub only passes on what they say to each other.
///
/// ```
/// 0 kind u8 | number i32 | OFFER, SLOT: nothing | CALL, CALLED, SAID: bytes | OVER: text
/// ```
public sealed interface InvitationMessage {
    /// Longest that is passed on at once, in bytes.
    int LONGEST_SAID = 12 * 1024;

    /// Longest reason, in bytes of UTF-8.
    int LONGEST_REASON = 256;

    /// Longest message, in bytes.
    int LONGEST = 1 + Integer.BYTES + 2 + LONGEST_SAID;

    /// Longest time for which somebody may be invited: a day, in seconds.
    int LONGEST_OFFER = 24 * 60 * 60;

    /// Greatest number of a slot.
    int LAST_SLOT = 9999;

    /// Somebody is to be let in: to the hub.
    ///
    /// @param seconds how long, 1 to [#LONGEST_OFFER]
    record Offer(int seconds) implements InvitationMessage {}

    /// Where who is invited finds this end: from the hub.
    ///
    /// @param slot 1 to [#LAST_SLOT]
    record Slot(int slot) implements InvitationMessage {}

    /// From who is invited to the hub.
    ///
    /// @param slot whom it wants
    /// @param said the first it says
    record Call(int slot, byte[] said) implements InvitationMessage {}

    /// The same, from the hub to who invites.
    ///
    /// @param call the number of this call
    /// @param said the first it says
    record Called(int call, byte[] said) implements InvitationMessage {}

    /// What they say next, both ways.
    ///
    /// @param call the number of the call; 0 between hub and who is invited
    /// @param said at most [#LONGEST_SAID] bytes
    record Said(int call, byte[] said) implements InvitationMessage {}

    /// A call has ended.
    ///
    /// @param call its number
    /// @param why for who has called; empty: it got what it came for
    record Over(int call, String why) implements InvitationMessage {}

    /// Its bytes.
    default byte[] encode() {
        var out = new ControlWriter(LONGEST);
        switch (this) {
            case Offer(var seconds) -> out.u8(1).i32(seconds);
            case Slot(var slot) -> out.u8(2).i32(slot);
            case Call(var slot, var said) -> out.u8(3).i32(slot).bytes(said, LONGEST_SAID);
            case Called(var call, var said) -> out.u8(4).i32(call).bytes(said, LONGEST_SAID);
            case Said(var call, var said) -> out.u8(5).i32(call).bytes(said, LONGEST_SAID);
            case Over(var call, var why) ->
                    out.u8(6)
                            .i32(call)
                            .text(ControlWriter.shortened(why, LONGEST_REASON), LONGEST_REASON);
        }
        return out.toBytes();
    }

    /// Reads one.
    ///
    /// @throws org.ibidem.buffer.Malformed when it is none
    static InvitationMessage decode(byte[] message) {
        var in = new ControlReader(message);
        int kind = in.u8("kind");
        var decoded =
                switch (kind) {
                    case 1 -> new Offer(within(in, "seconds", LONGEST_OFFER));
                    case 2 -> new Slot(within(in, "slot", LAST_SLOT));
                    case 3 -> new Call(within(in, "slot", LAST_SLOT), said(in));
                    case 4 -> new Called(in.i32("call"), said(in));
                    case 5 -> new Said(in.i32("call"), said(in));
                    case 6 -> new Over(in.i32("call"), in.reason("why", LONGEST_REASON));
                    default -> throw in.bad("kind", kind + " is not known");
                };
        in.end();
        return decoded;
    }

    private static byte[] said(ControlReader in) {
        return in.bytes("said", LONGEST_SAID);
    }

    private static int within(ControlReader in, String field, int most) {
        int value = in.i32(field);
        if (value < 1 || value > most) {
            throw in.bad(field, value + " is not 1 to " + most);
        }
        return value;
    }
}
