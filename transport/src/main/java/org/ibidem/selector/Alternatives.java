package org.ibidem.selector;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.ibidem.IbidemException;
import org.ibidem.config.Settings;
import org.ibidem.link.Line;
import org.ibidem.link.Lines;
import org.ibidem.link.LinkBroken;
import org.ibidem.stack.Stack;
import org.ibidem.task.Tasks;
import org.ibidem.topology.Contact;

/// Opens something to a peer over the best stack that works: the selector's, one after the other.
public final class Alternatives {
    private static final System.Logger LOG = System.getLogger(Alternatives.class.getName());

    private final Selector selector;
    private final Tasks tasks;
    private final Lines lines;
    private final Supplier<List<String>> allowed;

    /// Stacks of which it was said that they could not be had.
    private final Set<String> missed = ConcurrentHashMap.newKeySet();

    /// @param tasks whose clock limits are of
    /// @param lines what is known of the lines to peers
    public Alternatives(Selector selector, Tasks tasks, Lines lines) {
        this(selector, tasks, lines, () -> Wide.allowed(Settings.system()));
    }

    /// @param allowed what `auto` may add
    Alternatives(Selector selector, Tasks tasks, Lines lines, Supplier<List<String>> allowed) {
        this.selector = selector;
        this.tasks = tasks;
        this.lines = lines;
        this.allowed = allowed;
    }

    /// How something is opened over one stack.
    @FunctionalInterface
    public interface Opening<T> {
        /// Opens it within `left`.
        ///
        /// @throws LinkBroken when it cannot be had over this stack: another may do
        T open(Stack stack, Duration left);
    }

    /// What was opened, over which stack, and which that were to be preferred it is not, each with
    /// the reason.
    ///
    /// @param decided what `auto` has put over the network by itself and why; or an empty text
    public record Found<T>(T what, Stack stack, List<String> passedOver, String decided) {
        /// Copies the list.
        public Found {
            passedOver = List.copyOf(passedOver);
        }
    }

    /// The filters that `auto` may put over a network by itself: the setting `ibidem.auto`.
    ///
    /// @throws org.ibidem.config.SettingException when it names others
    public static List<String> additions(Settings settings) {
        return Wide.allowed(settings);
    }

    /// Never with this filter, unless a stack is written with it.
    public Alternatives without(String filter) {
        return new Alternatives(
                selector,
                tasks,
                lines,
                () -> allowed.get().stream().filter(each -> !each.equals(filter)).toList());
    }

    /// Opens it within the limit.
    ///
    /// @param notation as for [Selector#choose]
    /// @throws LinkBroken as of the last stack, when it can be had over none
    /// @throws IbidemException as `opening` throws it; of a stack with filters that `auto` has
    ///   added, only when the one without is refused, too
    public <T> Found<T> first(String notation, Contact peer, Duration limit, Opening<T> opening) {
        long end = tasks.deadline(limit);
        var may = allowed.get();
        boolean asks = !may.isEmpty() && selector.asks(notation, peer);
        var line = asks ? lines.to(peer, limit) : Line.UNKNOWN;
        var wide = Wide.choose(line.known()).only(may);
        var stacks = selector.choose(notation, peer, wide);
        var passedOver = new ArrayList<String>();
        selector.ruledOut(notation, peer).forEach(one -> passedOver.add(one.toString()));
        IbidemException last = null;
        for (var stack : stacks) {
            var left = Duration.ofNanos(Math.max(1, end - tasks.nanoTime()));
            if (last != null && left.toNanos() == 1) {
                break; // what is known says more than that there was no time
            }
            try {
                var opened = opening.open(stack, left);
                return new Found<>(opened, stack, passedOver, told(line, wide, stack));
            } catch (LinkBroken e) {
                last = e;
            } catch (IbidemException e) { // a peer may have named the bare network
                if (wide.filters().isEmpty() || stack.equals(stacks.getLast())) {
                    throw e;
                }
                last = e;
            }
            passedOver.add(stack + ": no, " + last.getMessage());
            if (!stack.equals(stacks.getLast())) { // else what is thrown says so
                LOG.log(
                        missed.add(stack.toString())
                                ? System.Logger.Level.INFO
                                : System.Logger.Level.DEBUG,
                        "not over {0}, but over what comes next (said once): {1}",
                        stack,
                        last.getMessage());
            }
        }
        throw last != null ? last : new LinkBroken("no stack to try");
    }

    /// Says what was decided of the line, if anything was known of it.
    private static String told(Line line, Wide wide, Stack stack) {
        if (wide.why().isEmpty()) {
            return "";
        }
        line.decided(Selector.AUTO, stack.toString(), wide.why());
        return wide.filters().isEmpty() ? "" : Selector.AUTO + ": " + wide.why();
    }
}
