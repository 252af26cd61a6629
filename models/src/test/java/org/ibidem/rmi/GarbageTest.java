package org.ibidem.rmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.withinAMinute;

import java.lang.ref.WeakReference;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.server.Unreferenced;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.registry.Membership;
import org.ibidem.registry.Node;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Objects stay as long as somebody refers to them, and no longer.
@Isolated("looks at what the collector has left")
@Timeout(240)
class GarbageTest {
    private static final Duration GRACE = Duration.ofMillis(200);
    private static final AtomicInteger UNREFERENCED = new AtomicInteger();

    private final Nodes nodes = new Nodes();
    private final Rmi server = nodes.part();
    private final Rmi client = nodes.part();

    /// Has something made, and keeps something.
    public interface Maker extends Remote {
        Thing make() throws RemoteException;

        void keep(Thing thing) throws RemoteException;

        Thing kept() throws RemoteException;

        void forget() throws RemoteException;
    }

    /// What is made.
    public interface Thing extends Remote {
        int value() throws RemoteException;
    }

    private static final class Made implements Thing, Unreferenced {
        @Override
        public int value() {
            return 7;
        }

        @Override
        public void unreferenced() {
            UNREFERENCED.incrementAndGet();
        }
    }

    private static final class Making implements Maker {
        private final Rmi rmi;
        private volatile @Nullable Thing kept;

        Making(Rmi rmi) {
            this.rmi = rmi;
        }

        @Override
        public Thing make() {
            return rmi.export(new Made(), Thing.class);
        }

        @Override
        public void keep(Thing thing) {
            kept = thing;
        }

        @Override
        public Thing kept() {
            return kept;
        }

        @Override
        public void forget() {
            kept = null;
        }
    }

    @AfterEach
    void close() {
        nodes.close();
    }

    private Maker maker(Rmi at, String name) throws Exception {
        at.names().bind(name, at.export(new Making(at)));
        return client.names().lookup(name, Maker.class);
    }

    /// Collects garbage until it is so.
    private static void collected(java.util.function.BooleanSupplier holds) throws Exception {
        withinAMinute(
                "it is collected",
                () -> {
                    System.gc();
                    return holds.getAsBoolean();
                });
    }

    @Test
    @Tag("slow")
    void an_object_stays_while_another_node_has_a_stub_and_is_told_when_none_has()
            throws Exception {
        var maker = maker(server, "maker");
        UNREFERENCED.set(0);
        var all = new ArrayList<Thing>(List.of(maker.make()));
        assertThat(server.exported()).isEqualTo(2);
        var gone = new WeakReference<>(maker.make());
        collected(() -> gone.get() == null && server.exported() == 2);
        assertThat(UNREFERENCED).hasValueGreaterThanOrEqualTo(1);
        assertThat(all.getFirst().value()).isEqualTo(7);
        all.clear();
        collected(() -> server.exported() == 1);
        assertThat(UNREFERENCED).hasValueGreaterThanOrEqualTo(2);
    }

    /// The collector at home may have nothing to do for hours.
    @Test
    void an_object_is_told_though_a_stub_at_home_is_left_but_not_while_it_has_a_name()
            throws Exception {
        var maker = maker(server, "maker");
        UNREFERENCED.set(0);
        var named = server.export(new Made(), Thing.class);
        var nameless = server.export(new Made(), Thing.class);
        server.names().bind("thing", named);
        assertThat(client.names().lookup("thing", Thing.class).value()).isEqualTo(7);
        maker.keep(nameless);
        assertThat(maker.kept().value()).isEqualTo(7);
        maker.forget();
        collected(() -> UNREFERENCED.get() > 0);
        assertThat(UNREFERENCED).hasValue(1);
        assertThat(nameless.value() + named.value()).isEqualTo(14);
        assertThat(server.exported()).isEqualTo(3);
    }

    @Test
    @Tag("slow")
    void a_reference_that_went_through_a_third_node_keeps_its_object() throws Exception {
        var maker = maker(server, "maker");
        var third = nodes.part();
        var keeper = maker(third, "keeper");
        for (int i = 0; i < 20; i++) {
            keeper.keep(maker.make()); // nobody but the keeper has it from here on
            System.gc();
            assertThat(keeper.kept().value()).isEqualTo(7);
        }
        collected(() -> server.exported() == 2);
        assertThat(keeper.kept().value()).isEqualTo(7);
        keeper.forget();
        collected(() -> server.exported() == 1);
    }

    @Test
    @Tag("slow")
    void a_node_that_leaves_holds_nothing_any_more() throws Exception {
        var maker = maker(server, "maker");
        var third = nodes.part();
        maker(third, "keeper").keep(maker.make());
        collected(() -> server.exported() == 2);
        nodes.node(2).close();
        collected(() -> server.exported() == 1);
    }

    @Test
    @Tag("slow")
    void what_nobody_was_given_goes_when_nobody_here_has_it() throws Exception {
        for (int i = 0; i < 100; i++) {
            server.export(new Made());
        }
        collected(() -> server.exported() == 0);
        var kept = new Made();
        server.export(kept);
        System.gc();
        assertThat(server.stub(kept)).isNotNull();
    }

    private static long heldBy(Node node, Part part) {
        return part.exports().all().stream().filter(each -> each.isHeldBy(node.id())).count();
    }

    /// No event tells that it is gone; a node that does not follow members has to ask.
    @ParameterizedTest
    @EnumSource(names = {"EVENTUAL", "NONE"})
    void what_a_visitor_had_that_is_gone_without_a_word_is_let_go(Membership membership)
            throws Exception {
        var part = new Part(nodes.node(membership), Rmi.Options.usual(), GRACE);
        try (var mine = new Rmi(part)) {
            var maker = mine.export(new Making(mine), Maker.class);
            mine.names().bindHere("maker", maker);
            UNREFERENCED.set(0);
            try (var visitor = nodes.visitor()) {
                var theirs = Rmi.open(visitor.node());
                var found = (Maker) theirs.names().of(Rmi.home(maker)).lookup("maker");
                assertThat(found.make().value()).isEqualTo(7);
                assertThat(mine.exported()).isEqualTo(2);
                withinAMinute("both are held", () -> heldBy(visitor.node(), part) == 2);
            } // which does not say that it has nothing any more
            collected(() -> UNREFERENCED.get() == 1); // a stub at home keeps it, too
        }
    }
}
