package org.ibidem.authority;

import java.security.SecureRandom;
import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.ControlWriter;
import org.ibidem.identity.NodeKey;

/// One end's part of the conversation in which a code is turned into a certificate, without any
/// I/O: `docs/wire/invitation.md`.
///
/// ```
/// joiner                                            inviter
///    | -- version, J-PAKE first ----------------------> |
///    | <- J-PAKE first, second ------------------------ |
///    | -- J-PAKE second, confirmation, sealed: key ---> |   tells the code right from wrong
///    | <- confirmation, sealed: certificates ---------- |
/// ```
final class Letters {
    static final int VERSION = 1;

    private final boolean inviter;
    private final Pake pake;
    private byte[] opening = new byte[0];
    private byte[] answer = new byte[0];

    Letters(boolean inviter, OneTimeCode code, SecureRandom random) {
        this.inviter = inviter;
        this.pake = new Pake(inviter, code, random);
    }

    /// The joiner's first.
    byte[] opening() {
        opening = new ControlWriter(1 + Pake.FIRST).u8(VERSION).raw(pake.first()).toBytes();
        return opening;
    }

    /// What the inviter says to that.
    byte[] answer(byte[] heard) throws WrongCode {
        var in = new ControlReader(heard);
        int version = in.u8("version");
        if (version != VERSION) {
            throw in.bad("version", version + " is not known; both ends need the same release");
        }
        var first = in.raw("first", Pake.FIRST);
        in.end();
        opening = heard;
        var mine = pake.first();
        pake.hearFirst(first);
        answer = new ControlWriter(Pake.FIRST + Pake.SECOND).raw(mine).raw(pake.second()).toBytes();
        return answer;
    }

    /// What the joiner says to that.
    ///
    /// @param key its own, which is to be certified
    Keyed request(byte[] heard, NodeKey key) throws WrongCode {
        var in = new ControlReader(heard);
        var first = in.raw("first", Pake.FIRST);
        var theirs = in.raw("second", Pake.SECOND);
        in.end();
        pake.hearFirst(first);
        answer = heard;
        var mine = pake.second();
        pake.hearSecond(theirs);
        var keys = SharedKeys.of(pake.secret(), opening, answer, mine);
        return new Keyed(
                keys,
                new ControlWriter(Pake.SECOND + SharedKeys.CONFIRMATION + sealed(NodeKey.BYTES))
                        .raw(mine)
                        .raw(keys.confirmation(inviter))
                        .raw(keys.seal(inviter, key.encoded()))
                        .toBytes());
    }

    /// Keys that both have, and what this end says.
    record Keyed(SharedKeys keys, byte[] said) {}

    /// What the joiner wants, if it has the code.
    ///
    /// @return its key, and the keys of both
    /// @throws WrongCode when it has not: that is a guess
    Wanted wanted(byte[] heard) throws WrongCode {
        var in = new ControlReader(heard);
        var second = in.raw("second", Pake.SECOND);
        var confirmation = in.raw("confirmation", SharedKeys.CONFIRMATION);
        var sealed = in.raw("sealed", sealed(NodeKey.BYTES));
        in.end();
        pake.hearSecond(second);
        var keys = SharedKeys.of(pake.secret(), opening, answer, second);
        keys.requireConfirmed(!inviter, confirmation);
        return new Wanted(keys, keys.open(!inviter, sealed));
    }

    /// @param key X.509
    record Wanted(SharedKeys keys, byte[] key) {}

    /// The inviter's last.
    static byte[] admit(SharedKeys keys, Admittance admittance) {
        return new ControlWriter(SharedKeys.CONFIRMATION + sealed(Admittance.LONGEST))
                .raw(keys.confirmation(true))
                .raw(keys.seal(true, admittance.encode()))
                .toBytes();
    }

    /// What the joiner reads in it.
    static Admittance admitted(SharedKeys keys, byte[] heard) throws WrongCode {
        var in = new ControlReader(heard);
        keys.requireConfirmed(true, in.raw("confirmation", SharedKeys.CONFIRMATION));
        return Admittance.decode(keys.open(true, in.raw("sealed", in.remaining())));
    }

    private static int sealed(int bytes) {
        return bytes + SharedKeys.TAG;
    }
}
