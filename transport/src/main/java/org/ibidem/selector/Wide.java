package org.ibidem.selector;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.ibidem.config.Settings;
import org.ibidem.link.Line;

/// Decides which filters `auto` puts over a network driver by itself, from what is known of the
/// line and nothing else: the same knowledge gives the same choice.
///
/// On one machine and in a LAN none: one connection fills those, and bytes cross faster than they
/// are compressed. On a longer line `parallel`, which chooses how many connections by measuring,
/// and `compress`, which chooses for each block, unless the data were found not to shrink.
///
/// @param filters from the top down
/// @param why for people; empty: nothing is known
record Wide(List<String> filters, String why) {
    /// From this round trip on a line counts as long.
    static final Duration FAR = Duration.ofMillis(4);

    private static final String NONE = "none";

    static final String COMPRESS = "compress";
    static final String PARALLEL = "parallel";

    /// All that may ever be added, from the top down.
    static final List<String> ALL = List.of(COMPRESS, PARALLEL);

    /// What may be added where nobody says: all of it.
    private static final String BY_DEFAULT = String.join(", ", ALL);

    /// Every combination of those, the whole first.
    static final List<List<String>> EVERY = List.of(ALL, List.of(PARALLEL), List.of(COMPRESS));

    /// Nothing is added.
    static final Wide NOTHING = new Wide(List.of(), "");

    /// So many bytes say what the data are like: of those that do not shrink few are looked at.
    private static final long TELLING = 4L << 20;

    /// What does not shrink more is not worth looking at each time,
    private static final double SHRINKS = 0.97;

    /// but after so long again.
    private static final Duration AGAIN = Duration.ofMinutes(10);

    /// Copies the list.
    Wide {
        filters = List.copyOf(filters);
    }

    /// Chooses.
    static Wide choose(Line.Known known) {
        if (known.roundTrip().isZero()) {
            return new Wide(List.of(), "");
        }
        var trip = "the round trip is " + millis(known.roundTrip());
        if (known.roundTrip().compareTo(FAR) < 0) {
            return new Wide(List.of(), trip);
        }
        var filters = new ArrayList<>(ALL);
        var why = new StringBuilder(trip);
        if (known.streams() > 0) {
            why.append(
                    String.format(
                            Locale.ROOT,
                            ", %d %s brought %.1f MB/s",
                            known.streams(),
                            known.streams() == 1 ? "stream" : "streams",
                            known.rate() / 1e6));
        }
        if (known.raw() >= TELLING) {
            boolean shrinks = known.wire() < SHRINKS * known.raw();
            why.append(
                    String.format(
                            Locale.ROOT,
                            ", and %.2f of %d MB were left when they were compressed",
                            (double) known.wire() / known.raw(),
                            known.raw() / 1_000_000));
            if (!shrinks && known.ago().compareTo(AGAIN) < 0) {
                filters.remove(COMPRESS);
            }
        }
        return new Wide(filters, why.toString());
    }

    /// The same without what nobody wants.
    ///
    /// @param allowed as the setting `ibidem.auto` says
    Wide only(List<String> allowed) {
        return new Wide(filters.stream().filter(allowed::contains).toList(), why);
    }

    /// What to try, the best first: below some filters not all of it can stand.
    List<List<String>> attempts() {
        return EVERY.stream().filter(filters::containsAll).toList();
    }

    /// The filters that `auto` may add: the setting `ibidem.auto`; all where it is not set.
    ///
    /// @throws org.ibidem.config.SettingException when it names others
    static List<String> allowed(Settings settings) {
        var text =
                settings.value(
                        "ibidem.auto",
                        BY_DEFAULT,
                        given -> {
                            parse(given);
                            return given;
                        });
        return parse(text);
    }

    private static List<String> parse(String text) {
        if (text.strip().equals(NONE)) {
            return List.of();
        }
        var named = Stream.of(text.split(",", -1)).map(String::strip).toList();
        for (var name : named) {
            if (!ALL.contains(name)) {
                throw new IllegalArgumentException(
                        "'"
                                + name
                                + "' is nothing that auto adds: "
                                + String.join(", ", ALL)
                                + ", or none");
            }
        }
        return named;
    }

    private static String millis(Duration time) {
        return String.format(Locale.ROOT, "%.1f ms", time.toNanos() / 1e6);
    }
}
