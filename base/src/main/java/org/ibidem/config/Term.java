package org.ibidem.config;

/// What may stand as an argument in a stack text: a value or a whole stack.
///
/// Terms are equal when they print the same; where they stood in a text does not count.
public sealed interface Term permits Value, Layer {
    /// Where it begins in the text it was read from, from 1; 0 when it was read from none.
    int column();
}
