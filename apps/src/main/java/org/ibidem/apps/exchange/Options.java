package org.ibidem.apps.exchange;

/// What the user asked for; equal in every process of the job.
///
/// @param rounds how often all send to all
/// @param largest bytes of a block
/// @param stack the ports' stack
record Options(int rounds, int largest, String stack) {
    static final String USAGE =
            """
            exchange: all-to-all personalized exchange, each block checked where it arrives
              --rounds N      how often all send to all (default: 100)
              --largest N     bytes of a block at most (default: 262144)
              --stack STACK   of the ports, as 'checksum > tcp' (default: auto)
            """;

    private static final int MOST_ROUNDS = 1_000_000;
    private static final int LARGEST = 1 << 28;

    /// Reads the command line.
    ///
    /// @throws BadExchange for what it does not know; with the usage
    static Options parse(String... args) {
        var options = new Options(100, 1 << 18, "auto");
        for (int i = 0; i < args.length; i += 2) {
            if (i + 1 == args.length) {
                throw wrong("'" + args[i] + "' is no option, or lacks its value");
            }
            var value = args[i + 1];
            options =
                    switch (args[i]) {
                        case "--rounds" ->
                                new Options(
                                        number(args[i], value, MOST_ROUNDS),
                                        options.largest,
                                        options.stack);
                        case "--largest" ->
                                new Options(
                                        options.rounds,
                                        number(args[i], value, LARGEST),
                                        options.stack);
                        case "--stack" -> new Options(options.rounds, options.largest, value);
                        default -> throw wrong("'" + args[i] + "' is no option");
                    };
        }
        return options;
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

    private static BadExchange wrong(String what) {
        return BadExchange.misused(what + "\n" + USAGE.strip());
    }
}
