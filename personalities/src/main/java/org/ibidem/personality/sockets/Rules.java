package org.ibidem.personality.sockets;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.ibidem.vlink.VLinks;
import org.jspecify.annotations.Nullable;

/// Which destinations are reached by Ibidem, and on which ports it listens.
///
/// ```
/// 10.0.0.0/8 -> rank 0            # an address or a network, also of IPv6
/// *.pool -> rank *                # 3.pool is rank 3
/// *.near -> rank * over shm       # over this stack, not the one that suits best
/// db.example.org:5432 -> rank 1   # a name, a port or a-b
/// 10.1.2.3 -> native              # by the JDK
/// listen 8000-8999 -> vlink       # vlink, native, or both, as it is without a rule
/// listen 22 -> both over tls > tcp # VLinks over this stack alone, not what clients choose
/// ```
///
/// One rule a line, or between semicolons. The first that fits counts; one that an equal one stands
/// before is an error. What no rule names is native.
public final class Rules {
    private static final String RANK = "rank ";
    private static final int NATIVE = -1;
    private static final int STAR = -2;

    private final List<Rule> connects;
    private final List<Listening> listens;

    /// Where a destination is.
    ///
    /// @param rank of the node
    /// @param stack over which it is reached, in the stack notation
    public record Target(int rank, String stack) {}

    /// How a port is listened on.
    public enum Entry {
        /// By VLink only.
        VLINK,
        /// By the JDK only.
        NATIVE,
        /// By both at once.
        BOTH
    }

    private record Rule(Pattern pattern, Ports ports, String text, Way way) {
        boolean isLike(Rule other) {
            return pattern.equals(other.pattern) && ports.equals(other.ports);
        }
    }

    /// @param rank or [#NATIVE], or [#STAR]: the number that the star stands for
    private record Way(int rank, String stack) {}

    /// @param stack of VLinks
    private record Listening(Ports ports, String text, Entry entry, String stack) {}

    private Rules(List<Rule> connects, List<Listening> listens) {
        this.connects = connects;
        this.listens = listens;
    }

    /// Reads rules.
    ///
    /// @param text the rules, or `@` and the name of a file that holds them
    /// @throws BadRule when one cannot be read, with the reason
    public static Rules parse(String text) {
        var connects = new ArrayList<Rule>();
        var listens = new ArrayList<Listening>();
        for (var line : lines(text)) {
            var rule = line.replaceFirst("#.*", "").strip();
            if (rule.startsWith("listen ")) {
                add(listens, listening(rule));
            } else if (!rule.isEmpty()) {
                add(connects, connect(rule));
            }
        }
        return new Rules(List.copyOf(connects), List.copyOf(listens));
    }

    private static List<String> lines(String text) {
        if (!text.startsWith("@")) {
            return List.of(text.split("[;\n]", -1));
        }
        try {
            return Files.readAllLines(Path.of(text.substring(1)));
        } catch (IOException e) {
            throw new BadRule(text, "the file cannot be read: " + e);
        }
    }

    private static void add(List<Rule> rules, Rule rule) {
        for (var before : rules) {
            if (before.isLike(rule)) {
                throw new BadRule(
                        rule.text,
                        "it never counts, as '" + before.text + "' before it fits the same");
            }
        }
        rules.add(rule);
    }

    private static void add(List<Listening> rules, Listening rule) {
        for (var before : rules) {
            if (before.ports.equals(rule.ports)) {
                throw new BadRule(
                        rule.text,
                        "it never counts, as '" + before.text + "' before it fits the same");
            }
        }
        rules.add(rule);
    }

    private static String[] sides(String rule) {
        var sides = rule.split("->", -1);
        if (sides.length != 2) {
            throw new BadRule(rule, "it has not the form 'DESTINATION -> WHERE'");
        }
        return new String[] {sides[0].strip(), sides[1].strip()};
    }

    private static Rule connect(String rule) {
        var sides = sides(rule);
        var host = sides[0];
        var ports = Ports.ALL;
        int colon = host.lastIndexOf(':');
        boolean bracketed = host.startsWith("[");
        if (colon > 0
                && (bracketed ? host.indexOf("]:") == colon - 1 : colon == host.indexOf(':'))) {
            ports = Ports.parse(rule, host.substring(colon + 1));
            host = host.substring(0, colon);
        }
        var pattern = Pattern.parse(rule, bracketed ? host.substring(1, host.length() - 1) : host);
        return new Rule(pattern, ports, rule, way(rule, sides[1], pattern));
    }

    private static Way way(String rule, String where, Pattern pattern) {
        if (where.equals("native")) {
            return new Way(NATIVE, "");
        }
        var parts = where.split(" over ", 2);
        var place = parts[0].strip();
        var stack = parts.length < 2 ? "auto" : parts[1].strip();
        if (place.equals("rank *")) {
            if (!(pattern instanceof Pattern.Name name) || !name.glob().startsWith("*")) {
                throw new BadRule(rule, "'rank *' needs a name that begins with '*'");
            }
            return new Way(STAR, stack);
        }
        if (!place.matches("rank \\d{1,6}")) {
            throw new BadRule(rule, "'" + place + "' is no place: 'rank N', 'rank *' or 'native'");
        }
        return new Way(Integer.parseInt(place.substring(RANK.length())), stack);
    }

    private static Listening listening(String rule) {
        var sides = sides(rule);
        var ports = Ports.parse(rule, sides[0].substring("listen ".length()).strip());
        var parts = sides[1].split(" over ", 2);
        var entry =
                switch (parts[0].strip()) {
                    case "vlink" -> Entry.VLINK;
                    case "native" -> Entry.NATIVE;
                    case "both" -> Entry.BOTH;
                    default ->
                            throw new BadRule(
                                    rule, "'" + parts[0] + "' is none of vlink, native, both");
                };
        if (parts.length == 1) {
            return new Listening(ports, rule, entry, VLinks.ANY);
        }
        if (entry == Entry.NATIVE) {
            throw new BadRule(rule, "what is native goes over no stack");
        }
        return new Listening(ports, rule, entry, parts[1].strip());
    }

    /// Where this destination is; null: it is native.
    ///
    /// @param host as the program named it
    /// @param address its bytes, or null where it is not resolved
    public @Nullable Target target(String host, byte @Nullable [] address, int port) {
        for (var rule : connects) {
            if (rule.ports.contains(port) && rule.pattern.fits(host, address)) {
                return switch (rule.way.rank) {
                    case NATIVE -> null;
                    case STAR -> starred(rule, host);
                    default -> new Target(rule.way.rank, rule.way.stack);
                };
            }
        }
        return null;
    }

    /// The names that rules make nodes, for who is asked by address and has to give each name one:
    /// of rules for all ports, and where the star is a rank's number, with each number.
    ///
    /// @param most how many numbers
    public List<String> names(int most) {
        return connects.stream()
                .filter(Rules::isNamed)
                .flatMap(rule -> {
                    var glob = ((Pattern.Name) rule.pattern).glob();
                    var names =
                            glob.startsWith("*")
                                    ? IntStream.range(0, most).mapToObj(n -> n + glob.substring(1))
                                    : Stream.of(glob);
                    return names.filter(name -> isFirst(rule, name));
                })
                .distinct()
                .toList();
    }

    /// The rules of names that [#names] cannot tell: for some ports alone, or with a star that is
    /// no number.
    public List<String> unnamed() {
        return connects.stream()
                .filter(rule -> rule.pattern instanceof Pattern.Name && !isNamed(rule))
                .filter(rule -> rule.way.rank != NATIVE)
                .map(Rule::text)
                .toList();
    }

    private boolean isFirst(Rule rule, String name) {
        return connects.stream()
                .filter(each -> each.pattern.fits(name, null))
                .findFirst()
                .filter(rule::equals)
                .isPresent();
    }

    private static boolean isNamed(Rule rule) {
        return rule.pattern instanceof Pattern.Name name
                && rule.ports.equals(Ports.ALL)
                && rule.way.rank != NATIVE
                && (rule.way.rank == STAR || !name.glob().startsWith("*"));
    }

    private static @Nullable Target starred(Rule rule, String host) {
        var glob = ((Pattern.Name) rule.pattern).glob();
        var number = host.substring(0, host.length() - glob.length() + 1);
        return number.matches("\\d{1,6}")
                ? new Target(Integer.parseInt(number), rule.way.stack)
                : null;
    }

    /// How this port is listened on.
    public Entry entry(int port) {
        return listening(port).map(Listening::entry).orElse(Entry.BOTH);
    }

    /// What VLinks to this port may go over: what a rule says, else [VLinks#ANY]. What trust
    /// demands of a connection holds besides, as the handshake of each sees to it.
    public String over(int port) {
        return listening(port).map(Listening::stack).orElse(VLinks.ANY);
    }

    private Optional<Listening> listening(int port) {
        return listens.stream().filter(rule -> rule.ports.contains(port)).findFirst();
    }
}
