package org.ibidem.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import org.ibidem.Vectors;
import org.ibidem.buffer.Malformed;
import org.ibidem.trust.InvitationMessage;
import org.junit.jupiter.api.Test;

/// The format of invitations stays what the vectors say.
class InvitationVectorsTest {
    private static final OneTimeCode CODE = OneTimeCode.parse("4711-k7x-m2q");

    private final Vectors vectors = Vectors.read("invitation");

    InvitationVectorsTest() throws IOException {}

    @Test
    void what_is_said_at_the_hub_is_read_and_written_so() {
        for (var name : List.of("offer", "slot", "call", "called", "said", "over")) {
            var message = InvitationMessage.decode(vectors.get(name));
            assertThat(message.getClass().getSimpleName()).isEqualToIgnoringCase(name);
            assertThat(message.encode()).as(name).isEqualTo(vectors.get(name));
        }
        assertThat(InvitationMessage.decode(vectors.get("offer")))
                .isEqualTo(new InvitationMessage.Offer(600));
        assertThat(InvitationMessage.decode(vectors.get("slot")))
                .isEqualTo(new InvitationMessage.Slot(4711));
        assertThat(InvitationMessage.decode(vectors.get("over")))
                .isEqualTo(new InvitationMessage.Over(1, "no"));
        assertThatThrownBy(() -> InvitationMessage.decode(new byte[0]))
                .isInstanceOf(Malformed.class);
        vectors.starting("bad.")
                .forEach((name, bytes) ->
                        assertThatThrownBy(() -> InvitationMessage.decode(bytes))
                                .as(name)
                                .isInstanceOf(Malformed.class));
    }

    @Test
    void what_the_two_say_proves_what_it_must_and_nothing_when_a_byte_is_changed()
            throws Exception {
        assertThat(letters(true).answer(vectors.get("opening")))
                .hasSameSizeAs(vectors.get("answer"));
        var changed = vectors.get("opening");
        changed[1000] ^= 1;
        assertThatThrownBy(() -> letters(true).answer(changed)).isInstanceOf(WrongCode.class);
        var newer = vectors.get("opening");
        newer[0]++;
        assertThatThrownBy(() -> letters(true).answer(newer))
                .isInstanceOf(Malformed.class)
                .hasMessageContaining("2 is not known");
        new Pake(false, CODE, new SecureRandom())
                .hearFirst(Arrays.copyOf(vectors.get("answer"), Pake.FIRST));
    }

    private static Letters letters(boolean inviter) {
        return new Letters(inviter, CODE, new SecureRandom());
    }

    @Test
    void what_the_joiner_gets_is_read_and_written_so() {
        for (var name : List.of("admittance.plain", "admittance.delegated")) {
            var got = Admittance.decode(vectors.get(name));
            assertThat(got.name()).isEqualTo("worker");
            assertThat(got.own().certificates()).hasSize(name.endsWith("plain") ? 1 : 2);
            assertThat(got.encode()).as(name).isEqualTo(vectors.get(name));
        }
        vectors.starting("refused.")
                .forEach((name, bytes) ->
                        assertThatThrownBy(() -> Admittance.decode(bytes))
                                .as(name)
                                .isInstanceOf(Malformed.class));
    }

    @Test
    void keys_are_made_so() throws Exception {
        var keys =
                SharedKeys.of(
                        vectors.get("secret"),
                        vectors.get("heard.1"),
                        vectors.get("heard.2"),
                        vectors.get("heard.3"));
        assertThat(keys.confirmation(false)).isEqualTo(vectors.get("joiner.confirms"));
        assertThat(keys.confirmation(true)).isEqualTo(vectors.get("inviter.confirms"));
        assertThat(keys.seal(false, vectors.get("text"))).isEqualTo(vectors.get("joiner.seals"));
        assertThat(keys.open(true, vectors.get("inviter.seals"))).isEqualTo(vectors.get("text"));
        assertThatThrownBy(() -> keys.open(false, vectors.get("inviter.seals")))
                .isInstanceOf(WrongCode.class);
    }
}
