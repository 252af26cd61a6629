package org.ibidem.lab.bench.wan;

import java.util.Arrays;
import java.util.List;

/// Something that was decided while data were sent.
///
/// @param at seconds after the first byte came
/// @param text what, as `parallel: 4 streams`
record Decision(double at, String text) {
    /// Between two of them in a line.
    static final String BETWEEN = " | ";

    /// Reads those of a transfer.
    ///
    /// @param line each as a moment of [System#nanoTime] and what was decided
    /// @param began when the first byte came
    static List<Decision> parse(String line, long began) {
        return Arrays.stream(line.split(" \\| ", -1))
                .filter(each -> !each.isBlank())
                .map(each -> each.split(" ", 2))
                .map(each -> new Decision((Long.parseLong(each[0]) - began) / 1e9, each[1]))
                .toList();
    }
}
