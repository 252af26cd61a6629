package org.ibidem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.ControlWriter;
import org.ibidem.buffer.Malformed;
import org.junit.jupiter.api.Test;

class VisibleTest {
    /// Each with what is shown: colours, a line of a log, a title of a terminal, a turned text.
    private static final List<List<String>> HOSTILE =
            List.of(
                    List.of("\u001b[2J\u001b[31mred", "\\u001b[2J\\u001b[31mred"),
                    List.of("a\r\nINFO: all is well", "a\\r\\nINFO: all is well"),
                    List.of("\u009b1m", "\\u009b1m"),
                    List.of("\u001b]0;title\u0007", "\\u001b]0;title\\u0007"),
                    List.of("a\u202ecba", "a\\u202ecba"),
                    List.of("a\u2028b\u0000", "a\\u2028b\\u0000"),
                    List.of("half \ud83d", "half \\ud83d"));

    @Test
    void control_characters_are_written_as_in_sources() {
        for (var each : HOSTILE) {
            assertThat(Visible.of(each.get(0))).isEqualTo(each.get(1));
            assertThat(Visible.is(each.get(0))).isFalse();
            assertThat(Visible.is(each.get(1))).isTrue();
        }
    }

    @Test
    void letters_of_all_scripts_stay_as_they_are() {
        for (var text :
                List.of("", "plain 'text' \\n", "Zürich", "日本", "\ud83d\udc69\u200d\ud83d\udcbb")) {
            assertThat(Visible.of(text)).isSameAs(text);
            assertThat(Visible.name("a name", text)).isSameAs(text);
        }
    }

    @Test
    void a_name_with_control_characters_is_refused_and_shown() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Visible.name("the name of a pool", "a\tb"))
                .withMessage("the name of a pool has no control characters, not: 'a\\tb'");
    }

    @Test
    void a_reason_of_a_peer_is_read_as_it_can_be_shown() {
        var message = new ControlWriter(100).text("no\n\u001b[31m", 100).toBytes();
        assertThat(new ControlReader(message).reason("why", 100)).isEqualTo("no\\n\\u001b[31m");
        var longest = new ControlWriter(100).text("\n".repeat(50), 50).toBytes();
        assertThat(new ControlReader(longest).reason("why", 50)).isEqualTo("\\n".repeat(25));
    }

    @Test
    void a_name_of_a_peer_with_control_characters_is_refused_with_its_byte() {
        var message = new ControlWriter(100).u8(1).text("a\u001bb", 100).toBytes();
        var in = new ControlReader(message);
        in.u8("kind");
        assertThatThrownBy(() -> in.name("pool", 100))
                .isInstanceOf(Malformed.class)
                .hasMessage("at byte 1 (pool): has control characters: 'a\\u001bb'");
    }
}
