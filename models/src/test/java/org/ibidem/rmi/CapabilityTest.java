package org.ibidem.rmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.rmi.NoSuchObjectException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Set;
import org.ibidem.rmi.frame.Reference;
import org.ibidem.rmi.frame.Stub;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Who was given a reference can call, and nobody else.
@Timeout(60)
class CapabilityTest {
    private static final int MANY = 512;

    private final Nodes nodes = new Nodes();
    private final Rmi server = nodes.part();
    private final Rmi client = nodes.part();
    private final Total total = new Total();

    @AfterEach
    void close() {
        nodes.close();
    }

    private static Reference reference(Counter stub) {
        return Stub.of(stub).reference();
    }

    /// A stub that nobody gave, of the object of this number at the same node.
    private Counter guessed(Counter like, long number) {
        var known = reference(like);
        return client.again(like, Reference.of(known.node(), number, known.interfaces()));
    }

    private static String refusal(Counter stub) {
        var thrown = catchThrowable(() -> stub.add(1));
        assertThat(thrown).isInstanceOf(NoSuchObjectException.class);
        return thrown.getMessage();
    }

    /// Nothing tells a guess that was nearly right from one of what never was, or was once.
    @Test
    void a_number_that_is_off_by_one_bit_is_refused_as_one_that_never_was() throws Exception {
        server.names().bind("counter", server.export(total));
        var counter = client.names().lookup("counter", Counter.class);
        long number = reference(counter).object();
        assertThat(guessed(counter, number).add(1)).as("the number is all it takes").isEqualTo(1);

        var answers = new HashSet<String>();
        for (int bit = 0; bit < Long.SIZE; bit++) {
            answers.add(refusal(guessed(counter, number ^ (1L << bit))));
        }
        answers.add(refusal(guessed(counter, ~number)));
        answers.add(refusal(guessed(counter, Exports.DIRECTORY + 1)));
        var gone = new Total();
        long ended = reference(server.export(gone, Counter.class)).object();
        assertThat(server.unexport(gone)).isTrue();
        answers.add(refusal(guessed(counter, ended)));
        assertThat(answers).hasSize(1);
        assertThat(total.sum).as("no guess has run").hasValue(1);
    }

    /// The number of one object says nothing about that of another: each bit is as often set as
    /// not, here and in the difference of two that follow each other. One in 10^15 runs would fail
    /// by chance.
    @Test
    void no_number_says_anything_about_the_next() {
        var kept = new ArrayList<Counter>();
        var numbers = new ArrayList<Long>();
        for (int i = 0; i < MANY; i++) {
            kept.add(server.export(new Total(), Counter.class));
            numbers.add(reference(kept.getLast()).object());
        }
        assertThat(Set.copyOf(numbers)).hasSize(MANY);
        for (int bit = 0; bit < Long.SIZE; bit++) {
            int set = 0;
            int changed = 0;
            for (int i = 0; i < MANY; i++) {
                long number = numbers.get(i);
                set += (int) ((number >>> bit) & 1);
                changed += (int) (((number ^ numbers.get((i + 1) % MANY)) >>> bit) & 1);
            }
            assertThat(set).as("bit " + bit).isBetween(MANY / 4, 3 * MANY / 4);
            assertThat(changed).as("bit " + bit).isBetween(MANY / 4, 3 * MANY / 4);
        }
    }
}
