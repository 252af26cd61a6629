package org.ibidem.registry.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.ControlWriter;
import org.ibidem.buffer.Malformed;
import org.ibidem.registry.PoolEvent;
import org.junit.jupiter.api.Test;

/// The names that members give elections, sequences and tokens are shown to others.
class HostileNamesTest {
    private static final String RED = "\u001b[31m\nred";

    private static ControlReader read(ControlWriter written) {
        return new ControlReader(written.toBytes());
    }

    @Test
    void an_operation_whose_name_has_control_characters_is_refused() {
        for (var operation :
                List.of(
                        new Operation.Elect(RED),
                        new Operation.Withdraw(RED),
                        new Operation.Next(RED, 1),
                        new Operation.Add(RED, 1),
                        new Operation.Set(RED, 1),
                        new Operation.Take(RED, true),
                        new Operation.Count(RED))) {
            var written = new ControlWriter(1000);
            OperationCoding.write(written, operation);
            assertThatThrownBy(() -> OperationCoding.read(read(written)))
                    .as("%s", operation.getClass())
                    .isInstanceOf(Malformed.class)
                    .hasMessageContaining("(name): has control characters: '\\u001b[31m\\nred'");
        }
    }

    @Test
    void a_change_whose_name_has_control_characters_is_refused() {
        var written = new ControlWriter(1000);
        ChangeCoding.write(written, new PoolEvent.Vacated(RED, 1));
        assertThatThrownBy(() -> ChangeCoding.read(read(written)))
                .isInstanceOf(Malformed.class)
                .hasMessageContaining("(name): has control characters");
    }

    /// A signal is the program's own, and comes as it was sent.
    @Test
    void a_signal_may_have_lines() {
        var signal = new Operation.Signal("first\nsecond", true, List.of());
        var written = new ControlWriter(1000);
        OperationCoding.write(written, signal);
        assertThat(OperationCoding.read(read(written))).isEqualTo(signal);
    }
}
