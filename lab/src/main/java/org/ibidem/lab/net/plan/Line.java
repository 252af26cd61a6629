package org.ibidem.lab.net.plan;

import java.io.Serializable;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/// What happens to packets on one direction of a way, in this order: some are lost, the rest queue
/// for the line and are sent at its rate, then they travel.
///
/// Packets keep their order, whatever the jitter; only when the delay is changed may later ones
/// overtake.
///
/// @param delay one way
/// @param jitter each packet's delay is evenly spread over `delay ± jitter`, as far as their order
///   allows
/// @param rate bits per second of whole IP packets; 0: no limit, and no queue
/// @param queue bytes that may wait for the line, the packet being sent included; a packet that
///   finds no room is dropped
/// @param loss which share of packets is lost, from 0 to 1, each by itself
public record Line(Duration delay, Duration jitter, long rate, long queue, double loss)
        implements Serializable {

    /// No delay, no limit, no loss.
    public static final Line IDEAL = new Line(Duration.ZERO, Duration.ZERO, 0, 256 << 10, 0);

    private static final long LARGEST = 1L << 40;
    private static final Pattern SETTING = Pattern.compile("(delay|jitter|rate|queue|loss)=(\\S+)");
    private static final Pattern QUANTITY =
            Pattern.compile("([0-9]{1,13}(?:\\.[0-9]{1,9})?)([a-zA-Z%]*)");

    private static final Map<String, Long> RATES = units(1000, "k", "m", "g");
    private static final Map<String, Long> SIZES = units(1 << 10, "k", "m");

    /// The largest first.
    private static Map<String, Long> units(long step, String... names) {
        var units = new LinkedHashMap<String, Long>();
        for (int i = names.length; i > 0; i--) {
            units.put(names[i - 1], Math.powExact(step, i));
        }
        return units;
    }

    /// Checks the values.
    public Line {
        if (delay.isNegative() || delay.compareTo(Duration.ofMinutes(1)) > 0) {
            throw new IllegalArgumentException("a delay is from 0 to 60 s, not " + text(delay));
        }
        if (jitter.isNegative() || jitter.compareTo(delay) > 0) {
            throw new IllegalArgumentException(
                    "a jitter is from 0 to the delay, " + text(delay) + ", not " + text(jitter));
        }
        if (rate < 0 || rate > LARGEST || queue < 0 || queue > LARGEST) {
            throw new IllegalArgumentException("a rate or a queue is 0 or more, up to 2^40");
        }
        if (!(loss >= 0 && loss <= 1)) {
            throw new IllegalArgumentException("a loss is from 0 to 1, not " + loss);
        }
    }

    /// Reads settings such as `delay=20ms jitter=2ms rate=100mbit queue=64k loss=1%`; what is not
    /// set is as in [#IDEAL].
    ///
    /// @throws IllegalArgumentException that says what is wrong and what would do
    public static Line of(String settings) {
        return IDEAL.with(settings);
    }

    /// The same line with some settings changed, written as in [#of].
    ///
    /// @throws IllegalArgumentException that says what is wrong and what would do
    public Line with(String settings) {
        var line = this;
        for (var setting : settings.strip().split("[\\s,]+", -1)) {
            if (!setting.isEmpty()) {
                line = line.withOne(setting);
            }
        }
        return line;
    }

    private Line withOne(String setting) {
        var matcher = SETTING.matcher(setting);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "'"
                            + setting
                            + "' sets nothing: write delay=, jitter=, rate=, queue= or loss=");
        }
        var value = matcher.group(2);
        return switch (matcher.group(1)) {
            case "delay" -> {
                var time = time(value);
                yield new Line(time, min(jitter, time), rate, queue, loss);
            }
            case "jitter" -> new Line(delay, time(value), rate, queue, loss);
            case "rate" -> new Line(delay, jitter, rate(value), queue, loss);
            case "queue" -> new Line(delay, jitter, rate, bytes(value), loss);
            default -> new Line(delay, jitter, rate, queue, share(value));
        };
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private static Duration time(String text) {
        return Duration.ofNanos(
                scaled(
                        text,
                        "a time such as 500us, 20ms or 1.5s",
                        unit ->
                                switch (unit) {
                                    case "us" -> 1_000;
                                    case "ms" -> 1_000_000;
                                    case "s" -> 1_000_000_000;
                                    case "" -> text.matches("0+") ? 1 : -1;
                                    default -> -1;
                                }));
    }

    private static long rate(String text) {
        return text.equals("none")
                ? 0
                : scaled(
                        text,
                        "a rate such as 56kbit, 100mbit, 1gbit or none",
                        unit ->
                                switch (unit) {
                                    case "bit" -> 1;
                                    case "kbit" -> 1_000;
                                    case "mbit" -> 1_000_000;
                                    case "gbit" -> 1_000_000_000;
                                    default -> -1;
                                });
    }

    private static long bytes(String text) {
        return scaled(
                text,
                "a size such as 1500, 64k or 1m",
                unit ->
                        switch (unit) {
                            case "" -> 1;
                            case "k" -> 1 << 10;
                            case "m" -> 1 << 20;
                            default -> -1;
                        });
    }

    private static double share(String text) {
        double billionths =
                scaled(
                        text,
                        "a share such as 0.01 or 1%",
                        unit ->
                                switch (unit) {
                                    case "" -> 1_000_000_000;
                                    case "%" -> 10_000_000;
                                    default -> -1;
                                });
        return billionths / 1_000_000_000;
    }

    private interface Units {
        long factor(String unit);
    }

    private static long scaled(String text, String wanted, Units units) {
        var matcher = QUANTITY.matcher(text);
        long factor = matcher.matches() ? units.factor(matcher.group(2)) : -1;
        if (factor < 0) {
            throw new IllegalArgumentException("expected " + wanted + ", read '" + text + "'");
        }
        return new BigDecimal(matcher.group(1))
                .multiply(BigDecimal.valueOf(factor))
                .min(BigDecimal.valueOf(Long.MAX_VALUE))
                .longValue();
    }

    /// The settings, so that [#of] reads the same line.
    @Override
    public String toString() {
        return "delay="
                + text(delay)
                + " jitter="
                + text(jitter)
                + " rate="
                + (rate == 0 ? "none" : inUnits(rate, RATES) + "bit")
                + " queue="
                + inUnits(queue, SIZES)
                + " loss="
                + BigDecimal.valueOf(loss).movePointRight(2).stripTrailingZeros().toPlainString()
                + "%";
    }

    /// In the largest unit that it is a whole number of.
    private static String inUnits(long value, Map<String, Long> units) {
        for (var unit : units.entrySet()) {
            if (value > 0 && value % unit.getValue() == 0) {
                return value / unit.getValue() + unit.getKey();
            }
        }
        return String.valueOf(value);
    }

    private static String text(Duration time) {
        return BigDecimal.valueOf(time.toNanos(), 6).stripTrailingZeros().toPlainString() + "ms";
    }
}
