package org.ibidem.apps.barnes;

import java.nio.file.Path;
import org.ibidem.IbidemException;
import org.jspecify.annotations.Nullable;

/// What the user asked for; equal in every process of the job.
///
/// @param bodies how many
/// @param steps how often they move
/// @param rmi whether processes call each other instead of sending messages
/// @param stack over what
/// @param image where a picture of the end goes, as a PNG; null: nowhere
record Options(int bodies, int steps, boolean rmi, String stack, @Nullable Path image) {
    /// Up to so many times bodies it is compared with what one process computes.
    static final long CHECKED_UP_TO = 100_000;

    private static final int MOST = 1_000_000;

    static final String USAGE =
            """
            barnes: bodies that attract each other, by the tree of Barnes and Hut
              --bodies N     how many: 2 to 1000000 (default: 50000)
              --steps K      how often they move (default: 10)
              --image FILE   write a picture of the end as a PNG
              --stack STACK  over what, as 'tcp' (default: auto)
              --rmi          processes call each other, instead of sending messages
            """;

    /// It is not understood; says what is, with the usage.
    static final class Bad extends IbidemException {
        private static final long serialVersionUID = 1L;

        Bad(String message) {
            super(message + "\n" + USAGE.strip());
        }
    }

    /// Reads the command line.
    ///
    /// @throws Bad for what it does not know
    static Options parse(String... args) {
        var options = new Options(50_000, 10, false, "auto", null);
        for (int i = 0; i < args.length; i++) {
            if (args[i].equals("--rmi")) {
                options =
                        new Options(
                                options.bodies, options.steps, true, options.stack, options.image);
            } else if (i + 1 == args.length) {
                throw new Bad("'" + args[i] + "' is no option, or lacks its value");
            } else {
                options = options.with(args[i], args[++i]);
            }
        }
        return options;
    }

    private Options with(String option, String value) {
        return switch (option) {
            case "--bodies" -> new Options(number(option, value, 2), steps, rmi, stack, image);
            case "--steps" -> new Options(bodies, number(option, value, 1), rmi, stack, image);
            case "--stack" -> new Options(bodies, steps, rmi, value, image);
            case "--image" -> new Options(bodies, steps, rmi, stack, Path.of(value));
            default -> throw new Bad("'" + option + "' is no option");
        };
    }

    private static int number(String option, String value, int least) {
        try {
            int number = Integer.parseInt(value);
            if (number >= least && number <= MOST) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw new Bad(
                option + " is a number from " + least + " to " + MOST + ", not '" + value + "'");
    }

    /// Whether it is compared with what one process computes.
    boolean checked() {
        return (long) bodies * steps <= CHECKED_UP_TO;
    }
}
