package org.ibidem.connect.socks;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// What is reached without a proxy, as `NO_PROXY` says it: `*`, names (also of all hosts below
/// them), addresses, and blocks of addresses such as `10.0.0.0/8`, with commas between.
final class Exceptions {
    private final List<String> entries;

    Exceptions(String text) {
        entries =
                Stream.of(text.toLowerCase(Locale.ROOT).split(",", -1))
                        .map(String::strip)
                        .filter(each -> !each.isEmpty())
                        .toList();
    }

    boolean cover(InetSocketAddress target) {
        return entries.stream().anyMatch(entry -> covers(entry, target));
    }

    private static boolean covers(String entry, InetSocketAddress target) {
        if (entry.equals("*")) {
            return true;
        }
        var address = target.getAddress();
        return address == null
                ? coversName(entry, target.getHostString().toLowerCase(Locale.ROOT))
                : coversAddress(entry, address);
    }

    private static boolean coversName(String entry, String name) {
        var domain = entry.startsWith(".") ? entry.substring(1) : entry;
        return name.equals(domain) || name.endsWith("." + domain);
    }

    private static boolean coversAddress(String entry, InetAddress address) {
        try {
            int slash = entry.indexOf('/');
            var block = InetAddress.ofLiteral(slash < 0 ? entry : entry.substring(0, slash));
            int bits = 8 * block.getAddress().length;
            int same = slash < 0 ? bits : Integer.parseInt(entry.substring(slash + 1));
            return block.getAddress().length == address.getAddress().length
                    && same >= 0
                    && same <= bits
                    && prefix(block, bits - same).equals(prefix(address, bits - same));
        } catch (IllegalArgumentException _) {
            return false; // a name
        }
    }

    private static BigInteger prefix(InetAddress address, int without) {
        return new BigInteger(1, address.getAddress()).shiftRight(without);
    }
}
