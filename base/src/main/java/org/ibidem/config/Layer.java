package org.ibidem.config;

import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// One driver of a stack as it was written, with what stands below it: `fragment(size=8k) > tcp`.
///
/// @param name the driver's name
/// @param arguments what stood in its parentheses, in order
/// @param lower what stands behind `>`, or null at the end; stacks over several lowers have them
///   among the arguments
/// @param column where it begins, from 1; 0: nowhere
public record Layer(String name, List<Argument> arguments, @Nullable Layer lower, int column)
        implements Term {
    /// Keeps its own copy of the arguments.
    public Layer {
        arguments = List.copyOf(arguments);
    }

    /// The stacks among the arguments: bare words and whole stacks without a key, in order.
    ///
    /// Which arguments are lowers and which are values only the driver's kind tells; this takes
    /// every argument that stands alone for a lower.
    ///
    /// @throws NotationException when one of them is no stack
    public List<Layer> lowers() {
        return arguments.stream().filter(Argument::alone).map(a -> layer(a.term())).toList();
    }

    private static Layer layer(Term term) {
        return switch (term) {
            case Layer layer -> layer;
            case Value value -> value.asLayer();
        };
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Layer that
                && name.equals(that.name)
                && arguments.equals(that.arguments)
                && Objects.equals(lower, that.lower);
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, arguments, lower);
    }

    /// The text that reads as this tree.
    @Override
    public String toString() {
        var text = new StringBuilder(name);
        if (!arguments.isEmpty()) {
            text.append(
                    arguments.stream()
                            .map(Argument::toString)
                            .collect(Collectors.joining(", ", "(", ")")));
        }
        if (lower != null) {
            text.append(" > ").append(lower);
        }
        return text.toString();
    }
}
