package org.ibidem.lab.fuzz;

import java.nio.charset.StandardCharsets;
import org.ibidem.config.Notation;
import org.ibidem.config.NotationException;
import org.ibidem.link.Catalog;
import org.ibidem.stack.Stack;

/// Any text is a stack that prints and reads back, or a [NotationException] with its place.
public final class StackFuzz {
    private static final Catalog CATALOG = Catalog.found();

    private StackFuzz() {}

    /// Called by the fuzzer.
    public static void fuzzerTestOneInput(byte[] input) {
        var text = new String(input, StandardCharsets.UTF_8);
        try {
            var tree = Notation.parse(text);
            same(tree, Notation.parse(tree.toString()));
            var stack = Stack.parse(text, CATALOG);
            same(stack, Stack.parse(stack.toString(), CATALOG));
        } catch (NotationException e) {
            if (e.column() < 1 || e.column() > text.length() + 1) {
                throw new AssertionError("column " + e.column() + " of '" + text + "'", e);
            }
        }
    }

    private static void same(Object one, Object other) {
        if (!one.equals(other)) {
            throw new AssertionError(one + " became " + other);
        }
    }
}
