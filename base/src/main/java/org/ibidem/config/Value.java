package org.ibidem.config;

import java.util.List;

/// A value as it was written: `8k`, `0.1`, `zstd`, `"two words"`.
///
/// @param text its characters, without quotes
/// @param quoted whether it stood in quotes, so that it can be nothing but text
/// @param column where it begins, from 1; 0: nowhere
public record Value(String text, boolean quoted, int column) implements Term {
    /// Quotes what cannot stand without.
    public Value {
        quoted = quoted || !Notation.plain(text);
    }

    /// A value that stands in no text; quoted only where it has to be.
    public static Value of(String text) {
        return new Value(text, false, 0);
    }

    /// The same value as a layer without arguments: in `multi(shm, tcp)` a bare word names a
    /// driver.
    ///
    /// @throws NotationException when it is no name
    public Layer asLayer() {
        if (quoted || !Notation.name(text)) {
            throw new NotationException(column, "'" + text + "' is no name of a driver");
        }
        return new Layer(text, List.of(), null, column);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Value that && text.equals(that.text) && quoted == that.quoted;
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /// As it is written.
    @Override
    public String toString() {
        return quoted ? Notation.quote(text) : text;
    }
}
