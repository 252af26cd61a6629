package org.ibidem.apps;

import java.util.regex.Pattern;

/// The arguments of an application that takes a few numbers, each with a usual value. One that is
/// wrong ends the process with exit code 2, and is said with what may stand there.
///
/// @param usage the application's name and its arguments
/// @param arguments as they were given
public record Numbers(String usage, String... arguments) {
    private static final Pattern WHOLE = Pattern.compile("-?\\d{1,18}");

    /// A whole number.
    ///
    /// @param at which argument
    /// @param usual where it is not given
    public int whole(int at, int usual, int least, int most) {
        return (int) whole(at, usual, least, (long) most);
    }

    /// The same for larger ones.
    public long whole(int at, long usual, long least, long most) {
        if (at >= arguments.length) {
            return usual;
        }
        var given = arguments[at];
        long number = WHOLE.matcher(given).matches() ? Long.parseLong(given) : Long.MIN_VALUE;
        if (number < least || number > most) {
            refuse("'%s' is no whole number from %d to %d".formatted(given, least, most));
        }
        return number;
    }

    /// A number greater than zero.
    public double positive(int at, double usual) {
        if (at >= arguments.length) {
            return usual;
        }
        double number = Double.NaN;
        try {
            number = Double.parseDouble(arguments[at]);
        } catch (NumberFormatException _) {
            // said below
        }
        if (!(number > 0)) {
            refuse("'" + arguments[at] + "' is no number greater than 0");
        }
        return number;
    }

    /// Says what is wrong, and how it is meant.
    public void refuse(String why) {
        System.err.println(usage.split(" ", 2)[0] + ": " + why + "; usage: " + usage);
        System.exit(2);
    }
}
