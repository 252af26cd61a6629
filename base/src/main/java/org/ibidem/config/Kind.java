package org.ibidem.config;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The kinds of values that options and settings have: how each is read and printed.
///
/// Reading what was printed gives the same value. A wrong text is an [IllegalArgumentException]
/// that says what would do.
enum Kind {
    /// Whole numbers, with binary units: `7`, `-1`, `8k` (8192), `2M`, `1G`.
    WHOLE {
        @Override
        Object read(String text, Class<?> type) {
            var number = matched(NUMBER, text, "a whole number such as 7, 8k, 2M or 1G");
            int unit =
                    " kmg"
                            .indexOf(
                                    number.group(2).isEmpty()
                                            ? ' '
                                            : lower(number.group(2)).charAt(0));
            try {
                long value = Math.multiplyExact(Long.parseLong(number.group(1)), 1L << (10 * unit));
                return type == int.class ? (Object) Math.toIntExact(value) : (Object) value;
            } catch (ArithmeticException | NumberFormatException _) {
                throw wrong(text, "a number of at most " + (type == int.class ? 31 : 63) + " bits");
            }
        }

        @Override
        String print(Object value) {
            long number = ((Number) value).longValue();
            int unit = 0;
            while (unit < 3 && number != 0 && number % 1024 == 0) {
                number /= 1024;
                unit++;
            }
            return number + " kMG".substring(unit, unit + 1).strip();
        }
    },

    /// Shares, rates, factors: `0.1`, `10%`, `1e-6`.
    FRACTION {
        @Override
        Object read(String text, Class<?> type) {
            var number = matched(DECIMAL, text, "a number such as 0.1, 10% or 1e-6");
            double value = Double.parseDouble(number.group(1));
            if (Double.isInfinite(value)) {
                throw wrong(text, "a number of at most 1e308");
            }
            return number.group(2).isEmpty() ? value : value / 100;
        }

        @Override
        String print(Object value) {
            double number = (Double) value;
            boolean whole = number == Math.rint(number) && Math.abs(number) < 1e15;
            return whole && number != 0 ? Long.toString((long) number) : value.toString();
        }
    },

    /// Lengths of time: `500ns`, `5us`, `10ms`, `1.5s`, `2min`, `1h`.
    TIME {
        @Override
        Object read(String text, Class<?> type) {
            var time = matched(DURATION, text, "a duration such as 5us, 10ms, 1.5s or 2min");
            var unit = BigDecimal.valueOf(NANOS[UNITS.indexOf(time.group(2))]);
            try {
                return Duration.ofNanos(
                        new BigDecimal(time.group(1)).multiply(unit).longValueExact());
            } catch (ArithmeticException _) {
                throw wrong(text, "a duration of whole nanoseconds, at most 292 years");
            }
        }

        @Override
        String print(Object value) {
            long nanos = ((Duration) value).toNanos();
            int unit = nanos == 0 ? UNITS.indexOf("s") : UNITS.size() - 1;
            while (nanos % NANOS[unit] != 0) {
                unit--;
            }
            return nanos / NANOS[unit] + UNITS.get(unit);
        }
    },

    /// `true` or `false`; also `yes`, `no`, `on`, `off`.
    FLAG {
        @Override
        Object read(String text, Class<?> type) {
            return switch (lower(text)) {
                case "true", "yes", "on" -> true;
                case "false", "no", "off" -> false;
                default -> throw wrong(text, "true or false");
            };
        }

        @Override
        String print(Object value) {
            return value.toString();
        }
    },

    /// One of an enum's constants, in lower case with `-` for `_`.
    CHOICE {
        @Override
        Object read(String text, Class<?> type) {
            var constants = type.getEnumConstants();
            return Arrays.stream(constants)
                    .filter(c -> print(c).equals(lower(text)))
                    .findFirst()
                    .orElseThrow(() ->
                            wrong(
                                    text,
                                    Arrays.stream(constants)
                                            .map(this::print)
                                            .collect(Collectors.joining(", ", "one of ", ""))));
        }

        @Override
        String print(Object value) {
            return lower(((Enum<?>) value).name()).replace('_', '-');
        }
    },

    /// Any text.
    TEXT {
        @Override
        Object read(String text, Class<?> type) {
            return text;
        }

        @Override
        String print(Object value) {
            return value.toString();
        }
    };

    private static final Pattern NUMBER = Pattern.compile("([+-]?[0-9]{1,19})([kKmMgG]?)");
    private static final Pattern DECIMAL =
            Pattern.compile("([+-]?[0-9]{1,19}(?:\\.[0-9]{1,19})?(?:[eE][+-]?[0-9]{1,3})?)(%?)");
    private static final Pattern DURATION =
            Pattern.compile("([0-9]{1,19}(?:\\.[0-9]{1,9})?)(ns|us|ms|s|min|h)");
    private static final List<String> UNITS = List.of("ns", "us", "ms", "s", "min", "h");
    private static final long[] NANOS = {
        1, 1_000, 1_000_000, 1_000_000_000, 60_000_000_000L, 3_600_000_000_000L
    };

    /// Reads a value for a component of this type.
    abstract Object read(String text, Class<?> type);

    /// Prints a value so that it reads the same.
    abstract String print(Object value);

    /// The kind of a component's type.
    static Kind of(Class<?> type) {
        if (type == int.class || type == long.class) {
            return WHOLE;
        } else if (type == double.class) {
            return FRACTION;
        } else if (type == boolean.class) {
            return FLAG;
        } else if (type == Duration.class) {
            return TIME;
        } else if (type == String.class) {
            return TEXT;
        } else if (type.isEnum()) {
            return CHOICE;
        }
        throw new IllegalArgumentException(
                type.getName()
                        + " is no type of an option: use int, long, double, boolean, Duration,"
                        + " String or an enum");
    }

    private static Matcher matched(Pattern pattern, String text, String wanted) {
        var matcher = pattern.matcher(text);
        if (!matcher.matches()) {
            throw wrong(text, wanted);
        }
        return matcher;
    }

    private static IllegalArgumentException wrong(String text, String wanted) {
        return new IllegalArgumentException("expected " + wanted + ", read '" + text + "'");
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}
