package org.ibidem.apps.life;

/// What the user asked for; equal in every process of the job.
///
/// @param size cells in a row, and rows
/// @param generations of the game
/// @param era generations between two plans
/// @param pace generations in a second at most; 0: as many as can be
/// @param members that are waited for before the first era
/// @param check whether the field is compared with a sequential run's
/// @param stack the ports' stack
record Options(
        int size, int generations, int era, int pace, int members, boolean check, String stack) {
    static final String USAGE =
            """
            life: Conway's game of life, on processes that come and go while it runs
              --size N          cells in a row, and rows: 3 to 8192 (default: 512)
              --generations G   (default: 1000)
              --era E           generations between two plans (default: 20)
              --pace P          at most P generations per second (default: no limit)
              --members N       wait for N members before the first generation (default: those started)
              --no-check        do not compare the field with a sequential run's
              --stack STACK     of the ports, as 'tcp' (default: auto)
            Processes that join the pool get rows with the next era. A process that is told to
            end (SIGTERM) hands its rows over first. If a process dies, its rows are computed
            again from a copy.
            """;

    private static final int MOST = 1_000_000;
    private static final int LARGEST = 8192;
    private static final int SMALLEST = 3;

    /// Reads the command line.
    ///
    /// @param started how many processes were started together
    /// @throws BadJob for what it does not know; with the usage
    static Options parse(int started, String... args) {
        var options = new Options(512, 1000, 20, 0, started, true, "auto");
        for (int i = 0; i < args.length; i++) {
            if (args[i].equals("--no-check")) {
                options = options.unchecked();
            } else if (i + 1 == args.length) {
                throw wrong("'" + args[i] + "' is no option, or lacks its value");
            } else {
                options = options.with(args[i], args[++i]);
            }
        }
        return options;
    }

    private Options unchecked() {
        return new Options(size, generations, era, pace, members, false, stack);
    }

    private Options with(String option, String value) {
        return switch (option) {
            case "--size" -> {
                int cells = number(option, value, SMALLEST, LARGEST);
                yield new Options(cells, generations, era, pace, members, check, stack);
            }
            case "--generations" -> {
                int count = number(option, value, 1, MOST);
                yield new Options(size, count, era, pace, members, check, stack);
            }
            case "--era" -> {
                int count = number(option, value, 1, MOST);
                yield new Options(size, generations, count, pace, members, check, stack);
            }
            case "--pace" -> {
                int most = number(option, value, 1, MOST);
                yield new Options(size, generations, era, most, members, check, stack);
            }
            case "--members" -> {
                int count = number(option, value, 1, MOST);
                yield new Options(size, generations, era, pace, count, check, stack);
            }
            case "--stack" -> new Options(size, generations, era, pace, members, check, value);
            default -> throw wrong("'" + option + "' is no option");
        };
    }

    private static int number(String option, String value, int least, int most) {
        try {
            int number = Integer.parseInt(value);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw wrong(
                option + " is a number from " + least + " to " + most + ", not '" + value + "'");
    }

    private static BadJob wrong(String what) {
        return new BadJob(what + "\n" + USAGE.strip());
    }

    /// The field.
    Torus torus() {
        return new Torus(size, 1);
    }
}
