package org.ibidem.lab.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import com.code_intelligence.jazzer.mutation.annotation.WithUtf8Length;
import org.ibidem.config.Notation;
import org.ibidem.config.NotationException;
import org.ibidem.link.Catalog;
import org.ibidem.link.Stack;
import org.junit.jupiter.api.Tag;

/// Any text is a stack that prints and reads back, or a [NotationException] with its place.
@Tag("fuzz")
class StackFuzzTest {
    private static final Catalog CATALOG = Catalog.found();

    @FuzzTest(maxDuration = "20s")
    void any_text_is_a_stack_or_refused(@NotNull @WithUtf8Length(max = 1100) String text) {
        try {
            var tree = Notation.parse(text);
            assertThat(Notation.parse(tree.toString())).isEqualTo(tree);
            var stack = Stack.parse(text, CATALOG);
            assertThat(Stack.parse(stack.toString(), CATALOG)).isEqualTo(stack);
        } catch (NotationException e) {
            assertThat(e.column()).isBetween(1, text.length() + 1);
        }
    }
}
