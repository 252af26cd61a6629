package org.ibidem.rmi;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.ibidem.rmi.frame.Reference;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Distributed garbage collection in every order in which its steps can come: [Holding] of three
/// nodes and the [Exported] object of a fourth are the real ones; what nodes tell each other, who
/// gives a reference to whom, whose stub is collected, which word or its answer is lost and who
/// dies is chosen. An object must not be let go while somebody who is alive has a stub that came
/// from one who is, and must be let go when nobody has one.
@Timeout(60)
class GarbageModelTest {
    private static final NodeId OWNER = new NodeId(9, 9);
    private static final Holding.Key OBJECT = new Holding.Key(OWNER, 77);

    /// Choices of a run; those behind it are tried by the next.
    private final List<int[]> choices = new ArrayList<>();

    private final Set<String> seen = new HashSet<>();
    private int faults;
    private int deaths;

    /// One run.
    private final class World {
        final Remote remote = new Remote() {};
        final Exported object =
                new Exported(
                        new WeakReference<>(remote),
                        List.of(),
                        Reference.of(OWNER, OBJECT.object(), List.of("an.Interface")),
                        null);
        final Set<NodeId> departed = new HashSet<>();
        final List<Node> nodes = new ArrayList<>();
        int faultsLeft = faults;
        int deathsLeft = deaths;
        int made;
        boolean ownerKeeps = true;
        final List<Action> path = new ArrayList<>();

        World() {
            for (int i = 0; i < 3; i++) {
                nodes.add(new Node(i, this));
            }
            // By a name, say: the owner keeps it until this one has been heard of.
            nodes.getFirst().gets(() -> ownerKeeps = false, null);
        }

        int choose(int of) {
            if (made == choices.size()) {
                choices.add(new int[] {0, of});
            }
            var mine = choices.get(made++);
            if (mine[1] != of) {
                throw new AssertionError("a run was not repeated as it was: " + path);
            }
            return mine[0];
        }

        List<Action> actions() {
            var all = new ArrayList<Action>();
            nodes.forEach(node -> node.actions(all));
            return all;
        }

        String state() {
            var text = new StringBuilder();
            for (var node : nodes) {
                text.append(node).append(object.isHeldBy(node.id)).append('\n');
            }
            return text.append(departed)
                    .append(faultsLeft)
                    .append(deathsLeft)
                    .append(ownerKeeps)
                    .toString();
        }

        void check() {
            boolean wanted = !ownerKeeps && nodes.stream().anyMatch(Node::mustHave);
            if (wanted && object.holders() == 0) {
                throw new AssertionError(
                        "somebody has a stub of an object that is let go: %s%n%s"
                                .formatted(path, state()));
            }
        }
    }

    /// What may come next; its words are put together for who reads of a failure, as there are
    /// hundreds of thousands.
    private record Action(Node node, String what, Runnable body) {
        @Override
        public String toString() {
            return node.id.low() + " " + what;
        }
    }

    /// A node that may have a stub.
    private static final class Node implements Holding.Owners {
        final NodeId id;
        final World world;
        final Holding holding = new Holding(this);
        final List<Runnable> tasks = new ArrayList<>();
        boolean alive = true;
        boolean wants;
        boolean keeps;
        boolean has;
        boolean gave;
        Node giver;

        Node(int index, World world) {
            this.id = new NodeId(index, index);
            this.world = world;
        }

        void gets(Runnable heard, Node from) {
            giver = from;
            has = true;
            wants = true;
            CompletableFuture<Void> told = holding.add(OBJECT);
            var _ = told.thenRun(heard);
        }

        /// Whoever gave it is alive, or it was heard of.
        boolean mustHave() {
            return alive && has && (isSound() || world.object.isHeldBy(id));
        }

        private boolean isSound() {
            return giver == null || (giver.alive && giver.isSound());
        }

        void actions(List<Action> all) {
            if (!alive) {
                if (!world.departed.contains(id)) {
                    may(
                            all,
                            "is found dead",
                            () -> {
                                world.departed.add(id);
                                world.object.release(id, Long.MAX_VALUE, null);
                            });
                }
                return;
            }
            if (!tasks.isEmpty()) {
                may(all, "tells", () -> tasks.removeFirst().run());
            }
            if (wants && !gave && id.low() < 2) {
                may(all, "gives", this::gives);
            }
            if (wants) {
                may(all, "wants no more", () -> wants = false);
            }
            if (has && !wants && !keeps) {
                may(
                        all,
                        "collects",
                        () -> {
                            has = false;
                            holding.drop(OBJECT);
                        });
            }
            if (keeps && world.departed.contains(receiver().id)) {
                may(all, "gives it up", () -> keeps = false); // as the connection is lost
            }
            if (world.deathsLeft > 0) {
                may(
                        all,
                        "dies",
                        () -> {
                            world.deathsLeft--;
                            alive = false;
                            tasks.clear();
                        });
            }
        }

        private void may(List<Action> all, String what, Runnable body) {
            all.add(new Action(this, what, body));
        }

        private Node receiver() {
            return world.nodes.get((int) id.low() + 1);
        }

        private void gives() {
            gave = true;
            keeps = true;
            if (receiver().alive) {
                receiver().gets(() -> keeps = false, this);
            }
        }

        @Override
        public boolean isGone(NodeId owner) {
            return false;
        }

        @Override
        public void tell(Holding.Key object, boolean stub, long number) throws RemoteException {
            int fault = world.faultsLeft > 0 ? world.choose(3) : 0;
            world.faultsLeft -= fault > 0 ? 1 : 0;
            if (fault == 1) {
                throw new RemoteException("lost on the way");
            }
            heard(stub, number);
            if (fault == 2) {
                throw new RemoteException("its answer is lost");
            }
        }

        /// As [Part#heard].
        private void heard(boolean stub, long number) throws NoSuchObjectException {
            if (world.departed.contains(id)) {
                return;
            }
            if (stub && !world.object.hold(id, number)) {
                throw new NoSuchObjectException("it was collected");
            }
            if (!stub) {
                world.object.release(id, number, null);
            }
        }

        @Override
        public void tellNothing(NodeId owner) {}

        @Override
        public void start(Holding.Key object, Runnable body) {
            tasks.add(body);
        }

        @Override
        public void later(Holding.Key object, Runnable body) {
            tasks.add(body);
        }

        @Override
        public String toString() {
            return alive + " " + wants + keeps + has + gave + tasks.size() + " [" + holding + "] ";
        }
    }

    private int explore(int lost, int dying, Consumer<World> atEnd) {
        faults = lost;
        deaths = dying;
        seen.clear();
        choices.clear();
        int ends = 0;
        do {
            var world = new World();
            ends += play(world) ? 1 : 0;
            if (world.actions().isEmpty()) {
                atEnd.accept(world);
            }
            while (!choices.isEmpty() && ++choices.getLast()[0] == choices.getLast()[1]) {
                choices.removeLast();
            }
        } while (!choices.isEmpty());
        return ends;
    }

    /// @return whether it came to its end; else it came to where another run was
    private boolean play(World world) {
        while (true) {
            world.check();
            var actions = world.actions();
            if (actions.isEmpty()) {
                return true;
            }
            if (world.made >= choices.size() && !seen.add(world.state())) {
                return false;
            }
            var next = actions.get(world.choose(actions.size()));
            world.path.add(next);
            next.body.run();
        }
    }

    private static void nothingIsLeft(World world) {
        if (world.object.holders() > 0) {
            throw new AssertionError(
                    "kept for nobody: %s%n%s".formatted(world.path, world.state()));
        }
    }

    @Test
    void an_object_is_kept_as_long_as_somebody_has_it_and_no_longer() {
        assertThat(explore(0, 0, GarbageModelTest::nothingIsLeft)).isPositive();
        assertThat(seen).hasSizeGreaterThan(50);
    }

    @Test
    void words_and_answers_may_be_lost() {
        assertThat(explore(2, 0, GarbageModelTest::nothingIsLeft)).isPositive();
        assertThat(seen).hasSizeGreaterThan(200);
    }

    @Test
    void nodes_may_die_and_a_word_be_lost() {
        assertThat(explore(1, 2, GarbageModelTest::nothingIsLeft)).isPositive();
        assertThat(seen).hasSizeGreaterThan(500);
    }

    @Test
    void a_word_that_a_newer_one_has_overtaken_is_passed_over() {
        var world = new World();
        var node = new NodeId(1, 1);
        assertThat(world.object.hold(node, 5)).isTrue();
        world.object.release(node, 4, null);
        world.object.release(node, 5, null);
        assertThat(world.object.isHeldBy(node)).isTrue();
        assertThat(world.object.hold(node, 3)).isTrue();
        world.object.release(node, 4, null);
        assertThat(world.object.isHeldBy(node)).isTrue();
        world.object.release(node, 6, null);
        assertThat(world.object.isHeldBy(node)).isFalse();
    }
}
