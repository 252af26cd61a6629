package org.ibidem.cli.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// Reads JSON (RFC 8259) and nothing that is nearly JSON: objects are maps, arrays lists, numbers
/// doubles.
final class Json {
    private static final Pattern NUMBER =
            Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");

    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /// The value that this text is.
    ///
    /// @throws IllegalArgumentException when it is none, with the place
    static Object parse(String text) {
        var json = new Json(text);
        var value = json.value();
        json.space();
        json.require(json.at == text.length(), "the end");
        return value;
    }

    private Object value() {
        space();
        require(at < text.length(), "a value");
        return switch (text.charAt(at)) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            default -> number();
        };
    }

    private Map<String, Object> object() {
        var object = new LinkedHashMap<String, Object>();
        for (char end = open('}'); end != '}'; end = next('}')) {
            space();
            var name = string();
            space();
            take(':');
            require(object.put(name, value()) == null, "another name than '" + name + "' again");
        }
        return object;
    }

    private List<Object> array() {
        var array = new ArrayList<Object>();
        for (char end = open(']'); end != ']'; end = next(']')) {
            array.add(value());
        }
        return array;
    }

    /// Takes the opening bracket, and the closing one if it follows.
    private char open(char closing) {
        at++;
        space();
        if (at < text.length() && text.charAt(at) == closing) {
            at++;
            return closing;
        }
        return ',';
    }

    private char next(char closing) {
        space();
        require(at < text.length(), "',' or '" + closing + "'");
        char found = text.charAt(at);
        require(found == ',' || found == closing, "',' or '" + closing + "'");
        at++;
        return found;
    }

    private String string() {
        take('"');
        var string = new StringBuilder();
        while (at < text.length() && text.charAt(at) != '"') {
            char next = text.charAt(at++);
            require(next >= ' ', "no control character");
            string.append(next == '\\' ? escaped() : next);
        }
        take('"');
        return string.toString();
    }

    private char escaped() {
        require(at < text.length(), "what is escaped");
        char kind = text.charAt(at++);
        if (kind == 'u') {
            require(at + 4 <= text.length(), "four digits");
            at += 4;
            return (char) Integer.parseInt(text.substring(at - 4, at), 16);
        }
        int known = "\"\\/bfnrt".indexOf(kind);
        require(known >= 0, "an escape that there is");
        return "\"\\/\b\f\n\r\t".charAt(known);
    }

    private double number() {
        var number = NUMBER.matcher(text).region(at, text.length());
        require(number.lookingAt(), "a value");
        at = number.end();
        return Double.parseDouble(number.group());
    }

    private Object word(String word, Object value) {
        require(text.startsWith(word, at), word);
        at += word.length();
        return value;
    }

    private void take(char wanted) {
        require(at < text.length() && text.charAt(at) == wanted, "'" + wanted + "'");
        at++;
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private void require(boolean holds, String wanted) {
        if (!holds) {
            throw new IllegalArgumentException(wanted + " was expected at " + at + " of " + text);
        }
    }
}
