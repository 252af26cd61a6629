package org.ibidem.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.ibidem.buffer.Malformed;
import org.ibidem.identity.Identity;
import org.ibidem.trust.Chain;
import org.ibidem.trust.Role;
import org.ibidem.trust.Standing;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What both ends of an invitation say, with a hub between them that does as it likes.
@Tag("slow")
class LettersTest {
    private static final OneTimeCode CODE = new OneTimeCode(4711, "k7xm2q");
    private static final UnaryOperator<byte[]> PASSED = UnaryOperator.identity();

    @TempDir Path folder;

    private final Identity who = Identity.create();
    private PoolAuthority demo;

    @BeforeEach
    void make() {
        var lasts = Duration.ofDays(1);
        demo = PoolAuthority.create(folder.resolve("demo"), "demo", new char[0], lasts);
    }

    private static Letters letters(boolean inviter, OneTimeCode code) {
        return new Letters(inviter, code, new SecureRandom());
    }

    /// A whole conversation, of which a hub does something to one message.
    private Admittance talk(int which, UnaryOperator<byte[]> hub) throws WrongCode {
        var joiner = letters(false, CODE);
        var inviter = letters(true, CODE);
        var answer = inviter.answer(passed(joiner.opening(), 0, which, hub));
        var request = joiner.request(passed(answer, 1, which, hub), who.key());
        var wanted = inviter.wanted(passed(request.said(), 2, which, hub));
        assertThat(wanted.key()).isEqualTo(who.key().encoded());
        var standing = new Standing("demo", Role.NODE, "");
        var own = demo.issued("worker", standing, wanted.key(), Duration.ofDays(1));
        var admittance = new Admittance("worker", demo.certificate(), new Chain(List.of(own)));
        var last = Letters.admit(wanted.keys(), admittance);
        return Letters.admitted(request.keys(), passed(last, 3, which, hub));
    }

    private static byte[] passed(byte[] said, int now, int which, UnaryOperator<byte[]> hub) {
        return now == which ? hub.apply(said) : said;
    }

    private static UnaryOperator<byte[]> flipped(int at) {
        return said -> {
            var other = said.clone();
            other[at < 0 ? other.length + at : at] ^= 4;
            return other;
        };
    }

    private static void assertRefused(String what, ThrowingCallable talk) {
        assertThatThrownBy(talk).as(what).isInstanceOfAny(WrongCode.class, Malformed.class);
    }

    @Test
    void who_has_the_same_code_gets_what_was_issued_for_its_key() throws Exception {
        assertThat(talk(-1, PASSED).own().key()).isEqualTo(who.key().encoded());
    }

    @Test
    void whatever_a_hub_alters_makes_the_code_a_wrong_one() {
        for (int message = 0; message < 4; message++) {
            for (int at : List.of(0, 400, 800, -100, -1)) {
                if (message < 3 || at < 400) { // the last is shorter
                    int which = message;
                    assertRefused(which + " at " + at, () -> talk(which, flipped(at)));
                }
            }
        }
        assertRefused("nothing", () -> talk(1, _ -> new byte[0]));
        assertRefused("cut off", () -> talk(3, said -> Arrays.copyOf(said, 40)));
    }

    @Test
    void a_hub_that_plays_one_of_them_has_one_guess_and_gets_nothing_by_a_wrong_one()
            throws Exception {
        var guess = new OneTimeCode(CODE.slot(), "k7xm2r");
        var inviter = letters(true, CODE);
        var hub = letters(false, guess);
        var request = hub.request(inviter.answer(hub.opening()), who.key());
        assertThatThrownBy(() -> inviter.wanted(request.said()))
                .isInstanceOf(WrongCode.class)
                .hasMessageContaining("has another code");

        var joiner = letters(false, CODE);
        var playing = letters(true, guess);
        var said = joiner.request(playing.answer(joiner.opening()), who.key()).said();
        assertThatThrownBy(() -> playing.wanted(said)).isInstanceOf(WrongCode.class);
    }

    @Test
    void a_hub_that_sends_somebody_to_another_slot_or_back_to_itself_is_noticed() {
        var opening = letters(false, CODE).opening();
        var other = letters(true, new OneTimeCode(4712, CODE.secret()));
        assertRefused("another slot", () -> other.answer(opening));
        var back = new byte[Pake.FIRST + Pake.SECOND];
        System.arraycopy(opening, 1, back, 0, Pake.FIRST);
        var joiner = letters(false, CODE);
        joiner.opening();
        assertRefused("itself", () -> joiner.request(back, who.key()));
    }
}
