package org.ibidem.apps.sor;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// What the user asked for; equal in every process of the job.
///
/// @param size cells in a row of the plate, and rows
/// @param iterations how often every cell is relaxed
/// @param image where the field goes as a PNG; null: nowhere
/// @param picture where the fixed temperatures come from; null: the picture in the program
/// @param check whether rank 0 compares the field with the sequential solver's; null: when the
///   plate is small
/// @param stack the ports' stack
/// @param objects whether rows travel as objects instead of arrays
/// @param reduceEvery after so many iterations all processes look at the residual
/// @param rmi whether processes call each other's methods instead of sending messages
/// @param serve whether others may watch the field
record Options(
        int size,
        int iterations,
        @Nullable Path image,
        @Nullable Path picture,
        @Nullable Boolean check,
        String stack,
        boolean objects,
        int reduceEvery,
        boolean rmi,
        boolean serve) {
    /// Up to this size the field is checked unless the user says otherwise: it takes some seconds
    /// at most.
    static final int CHECKED_UP_TO = 1024;

    /// The residual costs a way through all processes; so often is often enough to look.
    static final int REDUCE_EVERY = 16;

    private static final int MOST_ITERATIONS = 1_000_000;

    static final String USAGE =
            """
            sor: heat on a plate, rebuilt from a picture by red/black successive over-relaxation
              --size N          cells in a row, and rows: 8 to 8192 (default: 1024)
              --iterations K    how often every cell is relaxed (default: 1000)
              --image FILE      write the field as a PNG
              --picture FILE    where the fixed temperatures come from (default: an astronaut)
              --check           compare with the sequential solver, bit for bit (default: up to 1024)
              --no-check        do not
              --stack STACK     of the ports, as 'tcp' or 'fragment(size=8k) > tcp' (default: auto)
              --objects         rows travel as objects, not as arrays
              --rmi             rows and residuals travel in remote method calls, not in messages
              --serve           let 'ibidem watch sor' show the field while it is computed
              --reduce-every K  iterations between two looks at the residual (default: 16)
            """;

    /// Reads the command line.
    ///
    /// @throws BadProblem for what it does not know; with the usage
    static Options parse(String... args) {
        var options =
                new Options(
                        1024, 1000, null, null, null, "auto", false, REDUCE_EVERY, false, false);
        for (int i = 0; i < args.length; i++) {
            switch (args[i]) {
                case "--check" -> options = options.withCheck(true);
                case "--objects" -> options = options.withObjects();
                case "--rmi" -> options = options.withRmi();
                case "--serve" -> options = options.withServe();
                case "--no-check" -> options = options.withCheck(false);
                default -> {
                    if (i + 1 == args.length) {
                        throw wrong("'" + args[i] + "' is no option, or lacks its value");
                    }
                    options = options.with(args[i], args[++i]);
                }
            }
        }
        return options;
    }

    private Options with(String option, String value) {
        return switch (option) {
            case "--size" ->
                    new Options(
                            number(option, value, Plate.MOST),
                            iterations,
                            image,
                            picture,
                            check,
                            stack,
                            objects,
                            reduceEvery,
                            rmi,
                            serve);
            case "--iterations" ->
                    new Options(
                            size,
                            number(option, value, MOST_ITERATIONS),
                            image,
                            picture,
                            check,
                            stack,
                            objects,
                            reduceEvery,
                            rmi,
                            serve);
            case "--reduce-every" ->
                    new Options(
                            size,
                            iterations,
                            image,
                            picture,
                            check,
                            stack,
                            objects,
                            number(option, value, MOST_ITERATIONS),
                            rmi,
                            serve);
            default -> withText(option, value);
        };
    }

    private Options withText(String option, String value) {
        return switch (option) {
            case "--stack" ->
                    new Options(
                            size,
                            iterations,
                            image,
                            picture,
                            check,
                            value,
                            objects,
                            reduceEvery,
                            rmi,
                            serve);
            case "--image" ->
                    new Options(
                            size,
                            iterations,
                            Path.of(value),
                            picture,
                            check,
                            stack,
                            objects,
                            reduceEvery,
                            rmi,
                            serve);
            case "--picture" ->
                    new Options(
                            size,
                            iterations,
                            image,
                            Path.of(value),
                            check,
                            stack,
                            objects,
                            reduceEvery,
                            rmi,
                            serve);
            default -> throw wrong("'" + option + "' is no option");
        };
    }

    private Options withCheck(boolean wanted) {
        return new Options(
                size, iterations, image, picture, wanted, stack, objects, reduceEvery, rmi, serve);
    }

    private Options withObjects() {
        return new Options(
                size, iterations, image, picture, check, stack, true, reduceEvery, rmi, serve);
    }

    private Options withRmi() {
        return new Options(
                size, iterations, image, picture, check, stack, objects, reduceEvery, true, serve);
    }

    private Options withServe() {
        return new Options(
                size, iterations, image, picture, check, stack, objects, reduceEvery, rmi, true);
    }

    private static int number(String option, String value, int most) {
        try {
            int number = Integer.parseInt(value);
            if (number >= 1 && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw wrong(option + " is a number from 1 to " + most + ", not '" + value + "'");
    }

    private static BadProblem wrong(String what) {
        return new BadProblem(what + "\n" + USAGE.strip());
    }

    /// Whether the field is compared with the sequential solver's.
    boolean checked() {
        return check != null ? check : size <= CHECKED_UP_TO;
    }

    /// The plate asked for.
    Plate plate() {
        return new Plate(
                size, picture == null ? Picture.standard(size) : Picture.read(picture, size));
    }
}
