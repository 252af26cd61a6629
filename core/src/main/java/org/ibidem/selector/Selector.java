package org.ibidem.selector;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ibidem.config.Layer;
import org.ibidem.config.Notation;
import org.ibidem.config.NotationException;
import org.ibidem.link.Catalog;
import org.ibidem.link.Driver;
import org.ibidem.link.Reach;
import org.ibidem.link.Stack;
import org.ibidem.topology.Contact;
import org.jspecify.annotations.Nullable;

/// From what is known of a peer to the stacks worth trying, best first, with the reason for each.
///
/// A stack that ends in `auto` stands for all network drivers that can reach the peer, the fastest
/// first; one that ends in `multi(a, b, …)` for those of its stacks that can, in the order written,
/// so that one port may use several protocols; any other stands for itself. The choice is made for
/// each connection and leaves nothing behind in its stack.
public final class Selector {
    /// In place of the network driver: the selector chooses.
    public static final String AUTO = "auto";

    /// In place of the network driver: the selector chooses among the stacks in parentheses.
    public static final String MULTI = "multi";

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

    /// The stacks to try for this peer, best first: each is one link's, without what stands over
    /// several.
    ///
    /// @param notation a stack in the stack notation, its network driver may be [#AUTO] or [#MULTI]
    /// @throws org.ibidem.config.NotationException when it cannot be read
    /// @throws NoWay when no network driver reaches the peer
    public List<Stack> choose(String notation, Contact peer) {
        var top = Notation.parse(notation);
        var bottom = bottom(top);
        if (!isChoice(bottom)) {
            return List.of(stack(top, notation).link());
        }
        var stacks =
                leaves(bottom, peer).stream()
                        .filter(leaf -> reach(leaf, peer) instanceof Reach.Yes)
                        .map(leaf -> stack(with(top, leaf), notation).link())
                        .toList();
        if (stacks.isEmpty()) {
            throw new NoWay(
                    "no network driver of '"
                            + notation
                            + "' reaches node "
                            + peer.id().brief()
                            + ": "
                            + opinions(peer).stream()
                                    .map(Opinion::toString)
                                    .collect(Collectors.joining("; ")));
        }
        return stacks;
    }

    /// The stacks of a choice that do not reach the peer, each with the reason.
    ///
    /// @throws NotationException when it cannot be read
    public List<Opinion> ruledOut(String notation, Contact peer) {
        var bottom = bottom(Notation.parse(notation));
        return !isChoice(bottom)
                ? List.of()
                : leaves(bottom, peer).stream()
                        .map(leaf -> new Opinion(bottom(leaf).name(), reach(leaf, peer)))
                        .filter(opinion -> opinion.reach() instanceof Reach.No)
                        .toList();
    }

    /// The stack with some network driver where there is a choice: for what stands above it.
    ///
    /// @throws NotationException when it cannot be read
    public Stack shape(String notation) {
        return alternatives(notation).getFirst();
    }

    /// Checks a stack before anybody is to be reached over it.
    ///
    /// @return all the stacks that may come of it
    /// @throws NotationException when it cannot be read
    public List<Stack> alternatives(String notation) {
        var top = Notation.parse(notation);
        var bottom = bottom(top);
        return isChoice(bottom)
                ? leaves(bottom, null).stream()
                        .map(leaf -> stack(with(top, leaf), notation))
                        .toList()
                : List.of(stack(top, notation));
    }

    /// Whether this port's stack may be made as `made`.
    public boolean allows(String notation, String made) {
        return alternatives(notation).stream()
                .anyMatch(stack -> stack.link().toString().equals(made));
    }

    private Stack stack(Layer layer, String notation) {
        return Stack.of(layer, notation, catalog);
    }

    private static Layer bottom(Layer layer) {
        var at = layer;
        for (var lower = at.lower(); lower != null; lower = at.lower()) {
            at = lower;
        }
        return at;
    }

    private static boolean isChoice(Layer bottom) {
        return bottom.name().equals(AUTO) || bottom.name().equals(MULTI);
    }

    /// What may stand in the place of a choice: whole stacks, best first.
    ///
    /// @param peer puts the fastest first; null: in any order
    private List<Layer> leaves(Layer choice, @Nullable Contact peer) {
        if (choice.name().equals(AUTO)) {
            requireNothing(choice);
            var names =
                    peer == null
                            ? catalog.drivers().stream().map(Driver::name)
                            : opinions(peer).stream().map(Opinion::driver);
            return names.map(name -> new Layer(name, List.of(), null, choice.column())).toList();
        }
        if (choice.arguments().isEmpty()) {
            throw new NotationException(
                    choice.column(),
                    "multi chooses among stacks: name them, such as multi(shm, tcp)");
        }
        for (var argument : choice.arguments()) {
            if (!argument.alone()) {
                throw new NotationException(
                        argument.column(), "multi has no options, only stacks: " + argument);
            }
        }
        return choice.lowers().stream().flatMap(lower -> alternatives(lower, peer)).toList();
    }

    private Stream<Layer> alternatives(Layer lower, @Nullable Contact peer) {
        var bottom = bottom(lower);
        return isChoice(bottom)
                ? leaves(bottom, peer).stream().map(leaf -> with(lower, leaf))
                : Stream.of(lower);
    }

    private static void requireNothing(Layer auto) {
        if (!auto.arguments().isEmpty()) {
            throw new NotationException(
                    auto.column(), "auto has no options: write them to the drivers in multi(…)");
        }
    }

    /// The stack with another bottom.
    private static Layer with(Layer top, Layer bottom) {
        var lower = top.lower();
        return lower == null
                ? bottom
                : new Layer(top.name(), top.arguments(), with(lower, bottom), top.column());
    }

    private Reach reach(Layer stack, Contact peer) {
        var name = bottom(stack).name();
        return catalog.driver(name)
                .map(driver -> driver.reach(peer.places().getOrDefault(name, "")))
                .orElseGet(() -> new Reach.No("there is no driver '" + name + "'"));
    }
}
