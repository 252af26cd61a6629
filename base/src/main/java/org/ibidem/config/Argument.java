package org.ibidem.config;

/// One argument of a layer: `key=value`, a value alone, or a stack alone.
///
/// @param key the option it sets, or empty when it stands alone
/// @param term what stands there
/// @param column where it begins, from 1; 0: nowhere
public record Argument(String key, Term term, int column) {
    /// An option that stands in no text.
    public static Argument of(String key, String value) {
        return new Argument(key, Value.of(value), 0);
    }

    /// Whether it stands without a key.
    public boolean alone() {
        return key.isEmpty();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Argument that && key.equals(that.key) && term.equals(that.term);
    }

    @Override
    public int hashCode() {
        return key.hashCode() * 31 + term.hashCode();
    }

    @Override
    public String toString() {
        return alone() ? term.toString() : key + "=" + term;
    }
}
