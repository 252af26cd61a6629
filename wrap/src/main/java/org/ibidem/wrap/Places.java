package org.ibidem.wrap;

import java.io.IOException;
import java.net.BindException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.ibidem.config.AddressFamilies;
import org.ibidem.personality.sockets.RankAddress;
import org.ibidem.personality.sockets.Rules;
import org.jspecify.annotations.Nullable;

/// The names and addresses under which a wrapped program knows the nodes of its pool.
final class Places {
    private static final int FIRST = 127;

    /// Of addresses that stand for the names of rules.
    private static final int NAMES = 81;

    /// Numbers that a star of a rule is told with, and names in all.
    private static final int NUMBERS = 256;

    private static final int MOST_NAMES = 4096;

    /// Names that are there even while the nodes are not.
    private static final int LEAST_NAMED = 64;

    private static final int MOST_NAMED = 4096;

    private Places() {}

    /// Checks that this machine has such addresses.
    ///
    /// @throws BindException when it has none, with what to do
    static void require() throws BindException {
        if (AddressFamilies.loopbacks().stream().noneMatch(Inet4Address.class::isInstance)) {
            throw new BindException(
                    "programs know nodes by addresses of 127.80.0.0/16, and this machine has no"
                            + " 127.0.0.0/8: give its loopback interface that network, by"
                            + " 'ip address add 127.0.0.1/8 dev lo'");
        }
    }

    /// The names that rules make nodes; the place of one in this list is that of its address,
    /// `127.81.0.0` being the first.
    static List<String> names(Rules rules) {
        var all = rules.names(NUMBERS);
        return all.subList(0, Math.min(MOST_NAMES, all.size()));
    }

    /// The name that an address stands for; null: none.
    static @Nullable String named(InetAddress address, List<String> names) {
        var bytes = address.getAddress();
        if (bytes.length != 4 || bytes[0] != FIRST || bytes[1] != NAMES) {
            return null;
        }
        int which = (bytes[2] & 0xFF) << 8 | (bytes[3] & 0xFF);
        return which < names.size() ? names.get(which) : null;
    }

    /// Writes what the program shall see as /etc/hosts: the names of rules, which come before this
    /// machine's, and `RANK.POOL.ibidem`.
    static void writeHosts(Path file, String pool, int size, Rules rules) throws IOException {
        var text = new StringBuilder();
        var names = names(rules);
        for (int i = 0; i < names.size(); i++) {
            text.append("%d.%d.%d.%d ".formatted(FIRST, NAMES, i >> 8, i & 0xFF));
            text.append(names.get(i)).append('\n');
        }
        var own = Path.of("/etc/hosts");
        if (Files.isReadable(own)) {
            text.append(Files.readString(own));
            if (!text.isEmpty() && text.charAt(text.length() - 1) != '\n') {
                text.append('\n');
            }
        }
        int named = Math.clamp(size, LEAST_NAMED, MOST_NAMED);
        for (int rank = 0; rank < named; rank++) {
            var address = RankAddress.of(rank);
            if (address != null) {
                text.append(address.getHostAddress());
                text.append(' ').append(rank).append('.').append(pool).append(".ibidem\n");
            }
        }
        Files.writeString(file, text);
    }
}
