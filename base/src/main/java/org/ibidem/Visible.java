package org.ibidem;

/// Text of somebody else where people read it. Some characters are no letters: they move the cursor
/// of a terminal, colour it, begin a line of a log that nobody wrote, or turn the direction of the
/// text around them ([Unicode Standard Annex 9](https://www.unicode.org/reports/tr9/)).
public final class Visible {
    private static final String LINES = "\b\t\n\f\r";
    private static final String LETTERS = "btnfr";

    private Visible() {}

    /// The text, with what is no letter written as in Java's sources, such as `\n` or `\u001b`.
    public static String of(String text) {
        return is(text) ? text : escaped(text);
    }

    /// Whether all characters can be seen, or are spaces.
    public static boolean is(String text) {
        return text.codePoints().noneMatch(Visible::hidden);
    }

    /// Checks a name that others are shown.
    ///
    /// @param what it is the name of, for the error, such as `the name of a port`
    /// @throws IllegalArgumentException when it has a character that cannot be seen
    public static String name(String what, String name) {
        if (!is(name)) {
            throw new IllegalArgumentException(
                    what + " has no control characters, not: '" + escaped(name) + "'");
        }
        return name;
    }

    private static String escaped(String text) {
        var seen = new StringBuilder(text.length() + 16);
        text.codePoints()
                .forEach(each -> {
                    if (hidden(each)) {
                        int letter = LINES.indexOf(each);
                        seen.append(
                                letter < 0
                                        ? "\\u%04x".formatted(each)
                                        : "\\" + LETTERS.charAt(letter));
                    } else {
                        seen.appendCodePoint(each);
                    }
                });
        return seen.toString();
    }

    private static boolean hidden(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE ->
                    true;
            case Character.FORMAT -> turns(character);
            default -> false;
        };
    }

    /// The other characters of format join letters, as some scripts need.
    private static boolean turns(int character) {
        return character == 0x061C
                || (character >= 0x200E && character <= 0x200F)
                || (character >= 0x202A && character <= 0x202E)
                || (character >= 0x2066 && character <= 0x2069);
    }
}
