package org.ibidem.lab.bench.figures;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// As much of JSON (RFC 8259) as figures need: maps, lists, strings, numbers, booleans and null,
/// both ways.
public final class Json {
    private static final int DEEPEST = 16;

    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /// Writes a tree of `Map`, `Iterable`, `String`, `Number`, `Boolean` and null.
    public static String write(@Nullable Object value) {
        var out = new StringBuilder();
        write(out, value, 0);
        return out.append('\n').toString();
    }

    private static void write(StringBuilder out, @Nullable Object value, int depth) {
        switch (value) {
            case Map<?, ?> map -> {
                out.append('{');
                var comma = "";
                for (var entry : map.entrySet()) {
                    out.append(comma).append('\n').repeat("  ", depth + 1);
                    quote(out, String.valueOf(entry.getKey()));
                    out.append(": ");
                    write(out, entry.getValue(), depth + 1);
                    comma = ",";
                }
                out.append('\n').repeat("  ", depth).append('}');
            }
            case Iterable<?> list -> {
                out.append('[');
                var comma = "";
                for (var element : list) {
                    out.append(comma);
                    write(out, element, depth + 1);
                    comma = ", ";
                }
                out.append(']');
            }
            case String string -> quote(out, string);
            case null, default -> out.append(value);
        }
    }

    private static void quote(StringBuilder out, String string) {
        out.append('"');
        for (int i = 0; i < string.length(); i++) {
            char c = string.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    /// Reads what [#write] wrote, or any other JSON text.
    ///
    /// @throws IllegalArgumentException where it is none, with the position
    public static @Nullable Object read(String text) {
        var json = new Json(text);
        var value = json.value(0);
        json.blanks();
        if (json.at < text.length()) {
            throw json.wrong("the end");
        }
        return value;
    }

    private @Nullable Object value(int depth) {
        blanks();
        if (depth > DEEPEST) {
            throw wrong("at most " + DEEPEST + " levels");
        }
        return switch (peek()) {
            case '{' -> map(depth);
            case '[' -> list(depth);
            case '"' -> string();
            default -> word();
        };
    }

    private Map<String, @Nullable Object> map(int depth) {
        var map = new LinkedHashMap<String, @Nullable Object>();
        at++;
        while (more('}', map.isEmpty())) {
            blanks();
            var key = string();
            blanks();
            expect(':');
            map.put(key, value(depth + 1));
        }
        return map;
    }

    private List<@Nullable Object> list(int depth) {
        var list = new ArrayList<@Nullable Object>();
        at++;
        while (more(']', list.isEmpty())) {
            list.add(value(depth + 1));
        }
        return list;
    }

    /// Whether another element follows; passes the comma or the end.
    private boolean more(char end, boolean first) {
        blanks();
        if (peek() == end) {
            at++;
            return false;
        }
        if (!first) {
            expect(',');
        }
        return true;
    }

    private String string() {
        var out = new StringBuilder();
        expect('"');
        while (peek() != '"') {
            char c = next();
            out.append(c == '\\' ? escaped() : c);
        }
        at++;
        return out.toString();
    }

    private char escaped() {
        char c = next();
        return switch (c) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'u' -> {
                if (at + 4 > text.length()) {
                    throw wrong("four hexadecimal digits");
                }
                at += 4;
                yield (char) Integer.parseInt(text, at - 4, at, 16);
            }
            default -> c;
        };
    }

    private @Nullable Object word() {
        int from = at;
        while (at < text.length() && ",]} \n\r\t".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        var word = text.substring(from, at);
        return switch (word) {
            case "true" -> true;
            case "false" -> false;
            case "null" -> null;
            default -> {
                try {
                    yield Double.valueOf(word);
                } catch (NumberFormatException _) {
                    at = from;
                    throw wrong("a value");
                }
            }
        };
    }

    private void blanks() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private char peek() {
        if (at >= text.length()) {
            throw wrong("more");
        }
        return text.charAt(at);
    }

    private char next() {
        char c = peek();
        at++;
        return c;
    }

    private void expect(char c) {
        if (peek() != c) {
            throw wrong("'" + c + "'");
        }
        at++;
    }

    private IllegalArgumentException wrong(String wanted) {
        return new IllegalArgumentException("JSON: wanted " + wanted + " at character " + at);
    }
}
