package org.ibidem.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ibidem.buffer.Malformed;
import org.ibidem.trust.InvitationMessage;
import org.junit.jupiter.api.Test;

/// The format of invitations stays what the vectors say.
class InvitationVectorsTest {
    private static final OneTimeCode CODE = OneTimeCode.parse("4711-k7x-m2q");

    private final Map<String, byte[]> vectors = new LinkedHashMap<>();

    InvitationVectorsTest() throws IOException {
        try (var in = getClass().getResourceAsStream("/wire/invitation.txt")) {
            for (var line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n", -1)) {
                var parts = line.split(" = ", 2);
                if (parts.length == 2) {
                    vectors.put(parts[0], HexFormat.of().parseHex(parts[1]));
                }
            }
        }
    }

    private byte[] get(String name) {
        return vectors.get(name).clone();
    }

    @Test
    void what_is_said_at_the_hub_is_read_and_written_so() {
        for (var name : List.of("offer", "slot", "call", "called", "said", "over")) {
            var message = InvitationMessage.decode(get(name));
            assertThat(message.getClass().getSimpleName()).isEqualToIgnoringCase(name);
            assertThat(message.encode()).as(name).isEqualTo(get(name));
        }
        assertThat(InvitationMessage.decode(get("offer")))
                .isEqualTo(new InvitationMessage.Offer(600));
        assertThat(InvitationMessage.decode(get("slot")))
                .isEqualTo(new InvitationMessage.Slot(4711));
        assertThat(InvitationMessage.decode(get("over")))
                .isEqualTo(new InvitationMessage.Over(1, "no"));
        assertThatThrownBy(() -> InvitationMessage.decode(new byte[0]))
                .isInstanceOf(Malformed.class);
        vectors.forEach((name, bytes) -> {
            if (name.startsWith("bad.")) {
                assertThatThrownBy(() -> InvitationMessage.decode(bytes))
                        .as(name)
                        .isInstanceOf(Malformed.class);
            }
        });
    }

    @Test
    void what_the_two_say_proves_what_it_must_and_nothing_when_a_byte_is_changed()
            throws Exception {
        assertThat(letters(true).answer(get("opening"))).hasSameSizeAs(get("answer"));
        var changed = get("opening");
        changed[1000] ^= 1;
        assertThatThrownBy(() -> letters(true).answer(changed)).isInstanceOf(WrongCode.class);
        var newer = get("opening");
        newer[0]++;
        assertThatThrownBy(() -> letters(true).answer(newer))
                .isInstanceOf(Malformed.class)
                .hasMessageContaining("2 is not known");
        new Pake(false, CODE, new SecureRandom())
                .hearFirst(Arrays.copyOf(get("answer"), Pake.FIRST));
    }

    private static Letters letters(boolean inviter) {
        return new Letters(inviter, CODE, new SecureRandom());
    }

    @Test
    void what_the_joiner_gets_is_read_and_written_so() {
        for (var name : List.of("admittance.plain", "admittance.delegated")) {
            var got = Admittance.decode(get(name));
            assertThat(got.name()).isEqualTo("worker");
            assertThat(got.own().certificates()).hasSize(name.endsWith("plain") ? 1 : 2);
            assertThat(got.encode()).as(name).isEqualTo(get(name));
        }
        vectors.forEach((name, bytes) -> {
            if (name.startsWith("refused.")) {
                assertThatThrownBy(() -> Admittance.decode(bytes))
                        .as(name)
                        .isInstanceOf(Malformed.class);
            }
        });
    }

    @Test
    void keys_are_made_so() throws Exception {
        var keys = SharedKeys.of(get("secret"), get("heard.1"), get("heard.2"), get("heard.3"));
        assertThat(keys.confirmation(false)).isEqualTo(get("joiner.confirms"));
        assertThat(keys.confirmation(true)).isEqualTo(get("inviter.confirms"));
        assertThat(keys.seal(false, get("text"))).isEqualTo(get("joiner.seals"));
        assertThat(keys.open(true, get("inviter.seals"))).isEqualTo(get("text"));
        assertThatThrownBy(() -> keys.open(false, get("inviter.seals")))
                .isInstanceOf(WrongCode.class);
    }
}
