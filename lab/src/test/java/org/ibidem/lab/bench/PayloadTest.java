package org.ibidem.lab.bench;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 127, 128, 65_537, 1 << 20})
    void what_was_rewritten_verifies_and_nothing_else_does(int number) {
        for (var payload :
                new Payload[] {
                    new Payload.Word(),
                    new Payload.Five(),
                    new Payload.Bytes(1000),
                    new Payload.Ints(25_000),
                    new Payload.Doubles(12_500),
                    new Payload.Tree(1023)
                }) {
            payload.rewrite(number);
            assertThatCode(() -> payload.verify(number)).doesNotThrowAnyException();
            assertThatThrownBy(() -> payload.verify(number + 1))
                    .isInstanceOf(Payload.Corrupt.class);
        }
    }

    @Test
    void one_element_that_is_wrong_is_found() {
        var ints = new Payload.Ints(1000);
        ints.rewrite(7);
        ints.data[999]++;
        assertThatThrownBy(() -> ints.verify(7))
                .isInstanceOf(Payload.Corrupt.class)
                .hasMessage("message 7 of an int array: its sum is 7001 and should be 7000");

        var doubles = new Payload.Doubles(1000);
        doubles.rewrite(7);
        doubles.data[0] = 6;
        assertThatThrownBy(() -> doubles.verify(7)).isInstanceOf(Payload.Corrupt.class);
    }
}
