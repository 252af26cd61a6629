package org.ibidem.authority;

import java.security.SecureRandom;
import java.util.Locale;
import java.util.regex.Pattern;
import org.ibidem.trust.InvitationMessage;

/// What lets one node into a pool, once: `4711-k7x-m2q`. The number says at which slot of the hub
/// who invites is found, and is no secret; the rest is, 30 bits of it, and is said to nobody but
/// who is invited. That is enough for something of which three guesses count: see `Pake`.
///
/// @param slot 1 to 9999
/// @param secret six letters or digits of base 32, after Crockford: no I, L, O, U
public record OneTimeCode(int slot, String secret) {
    private static final String LETTERS = "0123456789abcdefghjkmnpqrstvwxyz";
    private static final int SECRET = 6;
    private static final Pattern WRITTEN = Pattern.compile("(\\d{1,4})-?([0-9a-z]{6})");

    /// Checks them.
    public OneTimeCode {
        if (slot < 1
                || slot > InvitationMessage.LAST_SLOT
                || secret.length() != SECRET
                || !secret.chars().allMatch(each -> LETTERS.indexOf(each) >= 0)) {
            throw wrong();
        }
    }

    /// A new one for this slot.
    static OneTimeCode at(int slot) {
        return new OneTimeCode(slot, fresh());
    }

    /// A new secret.
    static String fresh() {
        var random = new SecureRandom();
        var secret = new StringBuilder();
        for (int i = 0; i < SECRET; i++) {
            secret.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return secret.toString();
    }

    /// Reads one as people write it: letters of any size, with blanks, O for 0, I and L for 1.
    ///
    /// @throws IllegalArgumentException when it is none; the message does not repeat it
    public static OneTimeCode parse(String text) {
        var plain = text.strip().toLowerCase(Locale.ROOT).replaceAll("\\s+", "-");
        int dash = plain.indexOf('-');
        var number = dash < 0 ? "" : plain.substring(0, dash + 1);
        var secret =
                plain.substring(dash + 1)
                        .replace("-", "")
                        .replace('o', '0')
                        .replace('i', '1')
                        .replace('l', '1');
        var match = WRITTEN.matcher(number + secret);
        if (dash < 0 || !match.matches()) {
            throw wrong();
        }
        return new OneTimeCode(Integer.parseInt(match.group(1)), match.group(2));
    }

    private static IllegalArgumentException wrong() {
        return new IllegalArgumentException(
                "a code is a number, a dash and six letters or digits, as in 4711-k7x-m2q: copy it"
                        + " as 'ibidem pool invite' has printed it");
    }

    @Override
    public String toString() {
        return slot + "-" + secret.substring(0, SECRET / 2) + "-" + secret.substring(SECRET / 2);
    }
}
