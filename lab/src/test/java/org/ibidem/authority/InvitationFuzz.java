package org.ibidem.authority;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import org.ibidem.buffer.Malformed;
import org.ibidem.identity.Identity;
import org.ibidem.trust.InvitationMessage;

/// Whatever is said at a hub for an invitation, or by one of its ends to the other: it is read as
/// it is, or refused.
public final class InvitationFuzz {
    private static final OneTimeCode CODE = new OneTimeCode(4711, "k7xm2q");
    private static final Identity WHO = Identity.create();
    private static final SharedKeys KEYS = SharedKeys.of(new byte[1], new byte[1]);

    private InvitationFuzz() {}

    /// Called by the fuzzer.
    public static void fuzzerTestOneInput(byte[] input) {
        message(input);
        code(input);
        tried(() -> admittance(input));
        tried(() -> Letters.admitted(KEYS, input));
        tried(() -> letters(true).answer(input));
        tried(() -> opened(input.length).request(input, WHO.key()));
        tried(() -> answered(input.length).wanted(input));
    }

    private interface Reading {
        Object run() throws WrongCode;
    }

    private static Letters letters(boolean inviter) {
        return new Letters(inviter, CODE, new SecureRandom());
    }

    /// A joiner that has said its first, where that matters: it takes a while.
    private static Letters opened(int heard) {
        var joiner = letters(false);
        if (heard == Pake.FIRST + Pake.SECOND) {
            joiner.opening();
        }
        return joiner;
    }

    /// An inviter that has answered.
    private static Letters answered(int heard) throws WrongCode {
        var inviter = letters(true);
        if (heard > Pake.SECOND + SharedKeys.CONFIRMATION && heard < Pake.FIRST) {
            inviter.answer(letters(false).opening());
        }
        return inviter;
    }

    private static void tried(Reading reading) {
        try {
            reading.run();
        } catch (WrongCode | Malformed _) {
            // as it should be
        }
    }

    private static void message(byte[] input) {
        tried(() -> {
            var message = InvitationMessage.decode(input);
            var read = message.encode();
            var again = InvitationMessage.decode(read).encode();
            boolean shown = message instanceof InvitationMessage.Over; // a reason, made visible
            if (!Arrays.equals(read, again) || (!shown && !Arrays.equals(input, read))) {
                throw new AssertionError("read as what it is not: " + message);
            }
            return message;
        });
    }

    private static Admittance admittance(byte[] input) {
        var got = Admittance.decode(input);
        if (!Admittance.decode(got.encode()).equals(got)) {
            throw new AssertionError("written as what it is not: " + got);
        }
        return got;
    }

    private static void code(byte[] input) {
        try {
            var text = new String(input, StandardCharsets.UTF_8);
            var code = OneTimeCode.parse(text);
            if (!OneTimeCode.parse(code.toString()).equals(code)) {
                throw new AssertionError("read as what it is not: " + code);
            }
        } catch (IllegalArgumentException _) {
            // as it should be
        }
    }
}
