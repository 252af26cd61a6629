package org.ibidem.personality.sockets;

import java.net.InetAddress;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Some destinations.
sealed interface Pattern {
    /// Whether this is one of them.
    boolean fits(String host, byte @Nullable [] address);

    /// An address, or those that begin like it.
    ///
    /// @param address as text, in one form
    /// @param bits that count
    record Network(String address, int bits) implements Pattern {
        @Override
        public boolean fits(String host, byte @Nullable [] given) {
            if (given == null) {
                return false;
            }
            var mine = InetAddress.ofLiteral(address).getAddress();
            if (mine.length != given.length) {
                return false;
            }
            for (int bit = 0; bit < bits; bit++) {
                int shift = 7 - bit % 8;
                if ((mine[bit / 8] >> shift & 1) != (given[bit / 8] >> shift & 1)) {
                    return false;
                }
            }
            return true;
        }
    }

    /// Names.
    ///
    /// @param glob in small letters; a star at its beginning stands for anything
    record Name(String glob) implements Pattern {
        @Override
        public boolean fits(String host, byte @Nullable [] address) {
            var name = host.toLowerCase(Locale.ROOT);
            return glob.startsWith("*") ? name.endsWith(glob.substring(1)) : name.equals(glob);
        }
    }

    static Pattern parse(String rule, String text) {
        int slash = text.indexOf('/');
        var literal = literal(slash < 0 ? text : text.substring(0, slash));
        if (literal != null) {
            int most = literal.getAddress().length * Byte.SIZE;
            var bits = slash < 0 ? String.valueOf(most) : text.substring(slash + 1);
            if (!bits.matches("\\d{1,3}") || Integer.parseInt(bits) > most) {
                throw new BadRule(rule, "'/" + bits + "' is no length: 0 to " + most);
            }
            return new Network(
                    Objects.requireNonNull(literal.getHostAddress()), Integer.parseInt(bits));
        }
        if (slash >= 0 || text.isEmpty() || text.indexOf('*', 1) >= 0) {
            throw new BadRule(
                    rule,
                    "'"
                            + text
                            + "' is no destination: 10.0.0.0/8, 10.1.2.3, host.example.org or *.pool");
        }
        return new Name(text.toLowerCase(Locale.ROOT));
    }

    private static @Nullable InetAddress literal(String text) {
        try {
            return InetAddress.ofLiteral(text);
        } catch (IllegalArgumentException _) {
            return null;
        }
    }
}
