package org.ibidem.satin.run;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.ibidem.IbidemException;
import org.ibidem.satin.Satin;
import org.ibidem.satin.Tally;
import org.jspecify.annotations.Nullable;

/// Says now and then how far all processes of a job have come: on the standard error a line that
/// the next one may replace, as it ends in a carriage return alone.
final class Progress implements AutoCloseable {
    /// What is left of a terminal's line behind a rank.
    static final int COLUMNS = 74;

    private static final int REST = ", …".length();
    private static final String UNITS = " kMGT";
    private static final double KILO = 1000;
    private static final Tally NOTHING = new Tally("", 0, 0, 0, 0, 0, 0);
    private static final Duration ANSWERS_WITHIN = Duration.ofMillis(500);

    private final Satin satin;
    private final long began = System.nanoTime();
    private final CountDownLatch over = new CountDownLatch(1);
    private final @Nullable Thread thread;

    /// Does so until it is closed.
    ///
    /// @param every how often; 0: never
    Progress(Satin satin, Duration every) {
        this.satin = satin;
        var name = Thread.ofPlatform().daemon().name("satin-progress");
        thread = every.isZero() ? null : name.start(() -> say(every));
    }

    private void say(Duration every) {
        List<Tally> before = List.of();
        try {
            while (!over.await(every.toNanos(), TimeUnit.NANOSECONDS)) {
                var now = satin.tallies(ANSWERS_WITHIN);
                var spent = Duration.ofNanos(System.nanoTime() - began);
                System.err.print(line(spent, now, before) + "\r");
                System.err.flush();
                before = now;
            }
        } catch (InterruptedException e) {
            // So it is over.
        } catch (IbidemException e) {
            System.err.println("satin: progress is no longer shown: " + e.getMessage());
        }
    }

    /// One line, at most [#COLUMNS] long.
    ///
    /// @param before what was said last, from which on idle shares are meant
    static String line(Duration spent, List<Tally> now, List<Tally> before) {
        var all = now.stream().reduce(Tally::plus).orElse(NOTHING);
        var line = new StringBuilder();
        line.append(
                String.format(
                        Locale.ROOT,
                        "satin: %d s, %d worker%s, %s jobs, %s stolen, idle",
                        spent.toSeconds(),
                        all.workers(),
                        all.workers() == 1 ? "" : "s",
                        number(all.jobs()),
                        number(all.stolen())));
        var separator = " ";
        for (int i = 0; i < now.size(); i++) {
            var site = now.get(i);
            var last = before.stream().filter(old -> old.site().equals(site.site())).findAny();
            var idle = percent(last.map(site::since).orElse(site).idle());
            var more = separator + (now.size() == 1 ? idle : site.site() + " " + idle);
            int rest = i < now.size() - 1 ? REST : 0;
            if (line.length() + more.length() + rest > COLUMNS) {
                return line.append(separator).append("…").toString();
            }
            line.append(more);
            separator = ", ";
        }
        return line.toString();
    }

    /// What each site has done, a line each.
    static List<String> sites(List<Tally> all) {
        return all.stream()
                .map(site ->
                        String.format(
                                Locale.ROOT,
                                "satin: site %s did %d jobs, %d of them stolen, and was idle for %s of the time"
                                        + " of its workers (%d at the end)",
                                site.site(),
                                site.jobs(),
                                site.stolen(),
                                percent(site.idle()),
                                site.workers()))
                .toList();
    }

    /// With three digits, thousands as k, and so on.
    static String number(long count) {
        int unit = 0;
        double left = count;
        while (left >= 9999.5 && unit < UNITS.length() - 1) {
            left /= KILO;
            unit++;
        }
        if (unit == 0) {
            return Long.toString(count);
        }
        return String.format(Locale.ROOT, left < 99.95 ? "%.1f" : "%.0f", left)
                + UNITS.charAt(unit);
    }

    private static String percent(double share) {
        return Math.round(100 * share) + " %";
    }

    @Override
    public void close() {
        over.countDown();
        if (thread != null) {
            thread.interrupt();
        }
    }
}
