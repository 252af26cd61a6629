package org.ibidem.config;

import java.util.Collection;
import java.util.stream.Collectors;
import org.ibidem.IbidemException;

/// A stack text that cannot be read or used: where it goes wrong, what was read there, and what is
/// known.
public class NotationException extends IbidemException {
    private static final long serialVersionUID = 1L;

    /// Where it goes wrong, from 1.
    private final int column;

    /// What goes wrong there, without the place.
    private final String reason;

    /// Says what is wrong at a column of a text yet to be named.
    public NotationException(int column, String reason) {
        super(column > 0 ? "column " + column + ": " + reason : reason);
        this.column = column;
        this.reason = reason;
    }

    /// Says what is wrong at a column of `text`.
    public NotationException(String text, int column, String reason) {
        super("column " + column + " of " + Notation.excerpt(text, column) + ": " + reason);
        this.column = column;
        this.reason = reason;
    }

    /// Where it goes wrong, from 1; 0 when the fault has no place in the text.
    public int column() {
        return column;
    }

    /// What goes wrong, without the place.
    public String reason() {
        return reason;
    }

    /// The same, with the text it is about; for those who know it.
    public NotationException in(String text) {
        return column > 0 ? new NotationException(text, column, reason) : this;
    }

    /// Says that `read` is not among `known`, and which of them may have been meant.
    ///
    /// @param what what is unknown and of whom, such as `driver` or `option of fragment`
    public static NotationException unknown(
            int column, String what, String read, Collection<String> known) {
        var list = known.stream().sorted().collect(Collectors.joining(", "));
        var reason =
                new StringBuilder("there is no ")
                        .append(what)
                        .append(" '")
                        .append(read)
                        .append("'");
        reason.append(known.isEmpty() ? "; none is known" : "; known: " + list);
        Nearest.to(read, known).ifPresent(n -> reason.append(". Did you mean '" + n + "'?"));
        return new NotationException(column, reason.toString());
    }
}
