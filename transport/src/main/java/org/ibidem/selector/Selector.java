package org.ibidem.selector;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ibidem.config.Layer;
import org.ibidem.config.Notation;
import org.ibidem.config.NotationException;
import org.ibidem.link.Catalog;
import org.ibidem.link.Driver;
import org.ibidem.link.Reach;
import org.ibidem.link.Secrecy;
import org.ibidem.stack.Domains;
import org.ibidem.stack.Stack;
import org.ibidem.topology.Contact;
import org.jspecify.annotations.Nullable;

/// From what is known of a peer to the stacks worth trying, best first, with the reason for each.
///
/// A stack that ends in `auto` stands for all network drivers that can reach the peer and lose
/// nothing, the fastest first; one that ends in `multi(a, b, …)` for those of its stacks that can,
/// in the order written, so that one port may use several protocols; any other stands for itself.
/// The choice is made for each connection and leaves nothing behind in its stack. Over a long line
/// `auto` also puts the filters that use it well ([Wide]).
///
/// Where what leaves the machine must be encrypted, a choice puts `tls` above the driver; whoever
/// writes a stack without a choice has made it.
public final class Selector {
    /// In place of the network driver: the selector chooses.
    public static final String AUTO = "auto";

    /// In place of the network driver: the selector chooses among the stacks in parentheses.
    public static final String MULTI = "multi";

    private final Catalog catalog;
    private final Domains domains;
    private final Secrecy secrecy;

    /// Chooses among these drivers.
    ///
    /// @param domains of the node that chooses
    public Selector(Catalog catalog, Domains domains) {
        this(catalog, domains, Secrecy.NOT_ASKED);
    }

    /// Chooses among these drivers, and encrypts what has to be.
    ///
    /// @param domains of the node that chooses
    /// @param secrecy whether a choice needs encryption
    public Selector(Catalog catalog, Domains domains, Secrecy secrecy) {
        this.catalog = catalog;
        this.domains = domains;
        this.secrecy = secrecy;
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
                        new Opinion(driver.name(), domains.reach(driver.name(), peer.places())))
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
        return choose(notation, peer, Wide.NOTHING);
    }

    /// @param wide what `auto` puts over a network by itself, where it can stand there
    List<Stack> choose(String notation, Contact peer, Wide wide) {
        var top = parsed(notation);
        var bottom = bottom(top);
        if (!isChoice(bottom)) {
            return List.of(stack(top, notation).link());
        }
        var stacks = new ArrayList<Stack>();
        var enriched =
                new HashSet<String>(); // drivers that have something over them: once is enough
        for (var leaf : leaves(bottom, peer, wide.attempts())) {
            if (reach(leaf.layer, peer) instanceof Reach.Yes) {
                stack(top, leaf, notation)
                        .filter(each -> !leaf.added || enriched.add(each.driver().name()))
                        .ifPresent(each ->
                                secured(each.link(), secrecy.mayBeClear(peer))
                                        .forEach(stacks::add));
            }
        }
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
        return List.copyOf(stacks);
    }

    /// Whether it would be good to know the line to this peer: `auto` may put something over it.
    boolean asks(String notation, Contact peer) {
        return leaves(bottom(parsed(notation)), peer, List.of()).stream()
                .filter(leaf -> reach(leaf.layer, peer) instanceof Reach.Yes)
                .findFirst()
                .filter(leaf -> leaf.open && overConnections(leaf.layer.name()))
                .isPresent();
    }

    private boolean overConnections(String driver) {
        return catalog.driver(driver).map(Driver::overConnections).orElse(false);
    }

    /// The stacks of a choice that do not reach the peer, each with the reason.
    ///
    /// @throws NotationException when it cannot be read
    public List<Opinion> ruledOut(String notation, Contact peer) {
        var bottom = bottom(Notation.parse(notation));
        return !isChoice(bottom)
                ? List.of()
                : leaves(bottom, peer, List.of()).stream()
                        .map(Leaf::layer)
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
        var top = parsed(notation);
        var bottom = bottom(top);
        return isChoice(bottom)
                ? leaves(bottom, null, Wide.EVERY).stream()
                        .flatMap(leaf -> stack(top, leaf, notation).stream())
                        .flatMap(stack -> secured(stack, true))
                        .toList()
                : List.of(stack(top, notation));
    }

    /// Whether this port's stack may be made as `made`.
    public boolean allows(String notation, String made) {
        return alternatives(notation).stream()
                .anyMatch(stack -> stack.link().toString().equals(made));
    }

    /// Whoever names what there is not is told of the choices, too.
    private Layer parsed(String notation) {
        var top = Notation.parse(notation);
        var known = new ArrayList<>(catalog.names());
        known.addAll(List.of(AUTO, MULTI));
        try {
            requireKnown(top, known);
        } catch (NotationException e) {
            throw e.in(notation);
        }
        return top;
    }

    private static void requireKnown(Layer layer, List<String> known) {
        if (!known.contains(layer.name())) {
            throw NotationException.unknown(
                    layer.column(), "driver or filter", layer.name(), known);
        }
        if (isChoice(layer)) {
            layer.lowers().forEach(lower -> requireKnown(lower, known));
        }
        var below = layer.lower();
        if (below != null) {
            requireKnown(below, known);
        }
    }

    private Stack stack(Layer layer, String notation) {
        return Stack.of(layer, notation, catalog);
    }

    /// With this in the place of the choice; nothing where what `auto` has added cannot stand below
    /// what is written.
    private Optional<Stack> stack(Layer top, Leaf leaf, String notation) {
        try {
            return Optional.of(stack(with(top, leaf.layer), notation));
        } catch (NotationException e) {
            if (leaf.added) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /// What a choice stands for where what leaves the machine must be encrypted: with encryption,
    /// and perhaps, before that, without.
    private Stream<Stack> secured(Stack stack, boolean mayBeClear) {
        return !secrecy.asked() || stack.isSecret()
                ? Stream.of(stack)
                : mayBeClear
                        ? Stream.of(stack, stack.encrypted()).distinct()
                        : Stream.of(stack.encrypted());
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

    /// What may stand in the place of a choice.
    ///
    /// @param open `auto` has chosen it
    /// @param added with filters of its own
    private record Leaf(Layer layer, boolean open, boolean added) {}

    /// Whole stacks, best first.
    ///
    /// @param peer puts the fastest first; null: in any order, and what was added last
    /// @param additions what `auto` tries to put over a network, the best first
    private List<Leaf> leaves(Layer choice, @Nullable Contact peer, List<List<String>> additions) {
        if (choice.name().equals(AUTO)) {
            requireNothing(choice);
            var names =
                    peer == null
                            ? catalog.drivers().stream().map(Driver::name)
                            : opinions(peer).stream().map(Opinion::driver);
            var all =
                    names.filter(this::isFaithful)
                            .flatMap(name -> variants(name, choice.column(), additions))
                            .toList();
            return peer == null
                    ? all.stream().sorted(Comparator.comparing(Leaf::added)).toList()
                    : all;
        }
        if (!choice.name().equals(MULTI)) {
            return List.of(new Leaf(choice, false, false));
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
        return choice.lowers().stream()
                .flatMap(lower -> alternatives(lower, peer, additions))
                .toList();
    }

    /// A driver with what may be put over it, then alone.
    private Stream<Leaf> variants(String driver, int column, List<List<String>> additions) {
        var alone = new Layer(driver, List.of(), null, column);
        var added =
                (overConnections(driver) ? additions : List.<List<String>>of())
                        .stream().map(filters -> new Leaf(over(alone, filters), true, true));
        return Stream.concat(added, Stream.of(new Leaf(alone, true, false)));
    }

    private static Layer over(Layer driver, List<String> filters) {
        var layer = driver;
        for (var filter : filters.reversed()) {
            layer = new Layer(filter, List.of(), layer, driver.column());
        }
        return layer;
    }

    private boolean isFaithful(String driver) {
        return Stack.parse(driver, catalog).delivery().isFaithful();
    }

    private Stream<Leaf> alternatives(
            Layer lower, @Nullable Contact peer, List<List<String>> additions) {
        var bottom = bottom(lower);
        return isChoice(bottom)
                ? leaves(bottom, peer, additions).stream()
                        .map(leaf -> new Leaf(with(lower, leaf.layer), leaf.open, leaf.added))
                : Stream.of(new Leaf(lower, false, false));
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
        return domains.reach(bottom(stack).name(), peer.places());
    }
}
