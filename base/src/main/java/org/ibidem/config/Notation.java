package org.ibidem.config;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads the stack notation.
///
/// ```
/// stack    = layer { ">" layer }
/// layer    = name [ "(" [ argument { "," argument } ] ")" ]
/// argument = name "=" value | value | stack
/// name     = letter { letter | digit | "-" | "_" | "." }
/// value    = word | quoted          word: letters, digits and _ - + . / : % @
/// quoted   = '"' { any | "\\" '"' | "\\" "\\" } '"'
/// ```
///
/// Printing is the tree's own [Layer#toString]; `parse(print(t))` equals `t` for every tree that
/// was read.
public final class Notation {
    /// Most characters of a text.
    public static final int LONGEST = 1024;

    /// Most layers above and around a layer.
    public static final int DEEPEST = 16;

    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_.-]*");
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_+./:%@-]+");
    private static final int SHOWN = 80;

    private final String text;
    private int at;

    private Notation(String text) {
        this.text = text;
    }

    /// Reads a stack.
    ///
    /// @throws NotationException with the place where it stops making sense
    public static Layer parse(String text) {
        checkLength(text, LONGEST + 1, text);
        var reader = new Notation(text);
        try {
            var stack = reader.stack(1);
            if (reader.peek() != 0) {
                throw reader.unexpected("'>' or the end");
            }
            checkLength(text, 1, stack.toString());
            return stack;
        } catch (NotationException e) {
            throw e.in(text);
        }
    }

    /// Checks that a text, as read or in its printed form, is not too long to be read.
    ///
    /// @param column where to say that the fault is
    public static void checkLength(String text, int column, String form) {
        if (form.length() > LONGEST) {
            throw new NotationException(
                    text,
                    column,
                    "a stack has at most %d characters, this has %d%s"
                            .formatted(
                                    LONGEST,
                                    form.length(),
                                    form.equals(text) ? "" : " when it is printed"));
        }
    }

    private Layer stack(int depth) {
        if (depth > DEEPEST) {
            throw wrong("a stack is at most " + DEEPEST + " layers deep");
        }
        peek();
        int column = at + 1;
        var name = match(NAME);
        if (name == null) {
            throw unexpected("the name of a driver");
        }
        return rest(name, column, depth);
    }

    /// What follows a layer's name.
    private Layer rest(String name, int column, int depth) {
        List<Argument> arguments = peek() == '(' ? arguments(depth) : List.of();
        Layer lower = taken('>') ? stack(depth + 1) : null;
        return new Layer(name, arguments, lower, column);
    }

    private List<Argument> arguments(int depth) {
        var arguments = new ArrayList<Argument>();
        at++;
        if (taken(')')) {
            return arguments;
        }
        do {
            arguments.add(argument(depth));
        } while (taken(','));
        if (!taken(')')) {
            throw unexpected("',' or ')'");
        }
        return arguments;
    }

    private Argument argument(int depth) {
        boolean quoted = peek() == '"';
        int column = at + 1;
        int before = at;
        var word = quoted ? null : match(NAME);
        if (word != null && taken('=')) {
            peek();
            return new Argument(word, value(), column);
        }
        if (word != null && (peek() == '(' || peek() == '>')) {
            if (depth == DEEPEST) {
                throw wrong("a stack is at most " + DEEPEST + " layers deep");
            }
            var stack = rest(word, column, depth + 1);
            boolean bare = stack.arguments().isEmpty() && stack.lower() == null;
            return new Argument("", bare ? new Value(word, false, column) : stack, column);
        }
        at = before;
        return new Argument("", value(), column);
    }

    private Value value() {
        int column = at + 1;
        if (peek() == '"') {
            return new Value(quoted(), true, column);
        }
        var word = match(WORD);
        if (word == null) {
            throw unexpected("a value");
        }
        return new Value(word, false, column);
    }

    private String quoted() {
        int opening = at++;
        var value = new StringBuilder();
        while (at < text.length() && text.charAt(at) != '"') {
            boolean escape = text.charAt(at) == '\\' && at + 1 < text.length();
            value.append(text.charAt(escape ? at + 1 : at));
            at += escape ? 2 : 1;
        }
        if (at >= text.length()) {
            throw new NotationException(opening + 1, "this quote is never closed: add '\"'");
        }
        at++;
        return value.toString();
    }

    private @Nullable String match(Pattern pattern) {
        var matcher = pattern.matcher(text).region(at, text.length());
        if (!matcher.lookingAt()) {
            return null;
        }
        at = matcher.end();
        return matcher.group();
    }

    /// The next character that is no blank, or 0 at the end.
    private char peek() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return at < text.length() ? text.charAt(at) : 0;
    }

    private boolean taken(char c) {
        if (peek() != c) {
            return false;
        }
        at++;
        return true;
    }

    private NotationException unexpected(String wanted) {
        char c = peek();
        return wrong("expected " + wanted + ", read " + (c == 0 ? "the end" : "'" + c + "'"));
    }

    private NotationException wrong(String reason) {
        return new NotationException(at + 1, reason);
    }

    /// Can this stand without quotes?
    static boolean plain(String text) {
        return WORD.matcher(text).matches();
    }

    /// Can this be the name of a driver or an option?
    static boolean name(String text) {
        return NAME.matcher(text).matches();
    }

    static String quote(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /// The text, or what surrounds the column in a long one.
    static String excerpt(String text, int column) {
        if (text.length() <= SHOWN) {
            return "'" + text + "'";
        }
        int from = Math.max(0, Math.min(column - SHOWN / 2, text.length() - SHOWN));
        int to = Math.min(text.length(), from + SHOWN);
        return (from > 0 ? "'…" : "'")
                + text.substring(from, to)
                + (to < text.length() ? "…'" : "'");
    }
}
