package org.ibidem.selector;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.ibidem.link.Catalog;
import org.ibidem.link.Reach;
import org.ibidem.link.Stack;
import org.ibidem.topology.Contact;

/// From what is known of a peer to the stacks worth trying, best first, with the reason for each.
///
/// A stack that ends in `auto` stands for all network drivers that can reach the peer, the fastest
/// first; any other stands for itself.
public final class Selector {
    /// In place of the network driver: the selector chooses.
    public static final String AUTO = "auto";

    private final Catalog catalog;

    /// Chooses among these drivers.
    public Selector(Catalog catalog) {
        this.catalog = catalog;
    }

    /// What the selector thinks of one network driver for one peer.
    ///
    /// @param driver its name
    /// @param reach what it says itself
    public record Opinion(String driver, Reach reach) {
        @Override
        public String toString() {
            return switch (reach) {
                case Reach.Yes(long cost) -> driver + ": yes, about " + cost + " ns one way";
                case Reach.No(String why) -> driver + ": no, " + why;
            };
        }
    }

    /// All network drivers, those that can reach the peer first, the fastest of them first.
    public List<Opinion> opinions(Contact peer) {
        return catalog.drivers().stream()
                .map(driver ->
                        new Opinion(
                                driver.name(),
                                driver.reach(peer.places().getOrDefault(driver.name(), ""))))
                .sorted(Comparator.comparingLong(Selector::cost))
                .toList();
    }

    private static long cost(Opinion opinion) {
        return opinion.reach() instanceof Reach.Yes(long cost) ? cost : Long.MAX_VALUE;
    }

    /// The stacks to try for this peer, best first.
    ///
    /// @param notation a stack in the stack notation, its network driver may be [#AUTO]
    /// @throws org.ibidem.config.NotationException when it cannot be read
    /// @throws NoWay when no network driver reaches the peer
    public List<Stack> choose(String notation, Contact peer) {
        if (!isAuto(notation)) {
            return List.of(Stack.parse(notation, catalog));
        }
        var above = notation.substring(0, notation.length() - AUTO.length());
        var stacks = new ArrayList<Stack>();
        for (var opinion : opinions(peer)) {
            if (opinion.reach() instanceof Reach.Yes) {
                stacks.add(Stack.parse(above + opinion.driver(), catalog));
            }
        }
        if (stacks.isEmpty()) {
            throw new NoWay(
                    "no network driver reaches node "
                            + peer.id().brief()
                            + ": "
                            + opinions(peer).stream()
                                    .map(Opinion::toString)
                                    .collect(Collectors.joining("; ")));
        }
        return stacks;
    }

    /// Checks a stack before anybody is to be reached over it.
    ///
    /// @throws org.ibidem.config.NotationException when it cannot be read
    public void check(String notation) {
        if (isAuto(notation)) {
            var above = notation.substring(0, notation.length() - AUTO.length());
            Stack.parse(above + catalog.drivers().getFirst().name(), catalog);
        } else {
            Stack.parse(notation, catalog);
        }
    }

    /// Whether this port's stack may be made as `made`.
    public boolean allows(String notation, String made) {
        if (!isAuto(notation)) {
            return Stack.parse(notation, catalog).toString().equals(made);
        }
        var above = notation.substring(0, notation.length() - AUTO.length());
        return catalog.drivers().stream()
                .anyMatch(driver ->
                        made.equals(Stack.parse(above + driver.name(), catalog).toString()));
    }

    private static boolean isAuto(String notation) {
        return notation.equals(AUTO) || notation.matches(".*>\\s*" + AUTO);
    }
}
