package org.ibidem.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.identity.Identity;
import org.ibidem.peer.Deliberation;
import org.ibidem.peer.Deliberation.Tried;
import org.ibidem.registry.Departed;
import org.ibidem.registry.Join;
import org.ibidem.registry.JoinRefused.HubFull;
import org.ibidem.registry.JoinRefused.IdInUse;
import org.ibidem.registry.JoinRefused.NoSuchPool;
import org.ibidem.registry.JoinRefused.PoolFull;
import org.ibidem.registry.Membership;
import org.ibidem.registry.Node;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.Visitor;
import org.ibidem.registry.operation.Diagnosis;
import org.ibidem.registry.wire.JoinRefusal;
import org.ibidem.registry.wire.Operation;
import org.ibidem.registry.wire.Outcome;
import org.ibidem.registry.wire.Reply;
import org.ibidem.registry.wire.ReplyCoding;
import org.ibidem.registry.wire.Request;
import org.ibidem.registry.wire.RequestCoding;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Those who look into a pool and are no members of it.
class VisitorTest {
    private static final Duration LONG = Heard.LONG;
    private static final Duration EACH = Duration.ofSeconds(6);

    private final Hub hub = Hub.start(Hub.Options.DEFAULT.port(0));
    private final List<AutoCloseable> opened = new ArrayList<>();

    @TempDir Path folder;

    @AfterEach
    void end() throws Exception {
        for (var each : opened.reversed()) {
            each.close();
        }
        hub.close();
    }

    private Join to(String pool) {
        return Join.pool(pool).hub("localhost:" + hub.port()).membership(Membership.ORDERED);
    }

    private Node join(Join join) {
        var node = Node.join(join);
        opened.add(node);
        return node;
    }

    private Visitor visit(Join join) {
        var visitor = Visitor.of(join);
        opened.add(visitor);
        return visitor;
    }

    private Stranger stranger(String pool) throws Exception {
        var stranger = new Stranger(hub, pool);
        opened.add(stranger);
        return stranger;
    }

    private static Reply next(Stranger stranger) {
        var message = stranger.link.receive();
        assertThat(message).as("%s", stranger.link.ending()).isNotNull();
        return ReplyCoding.decode(message);
    }

    private static void hearsWhoIsThere(Stranger stranger) {
        while (((Reply.Snapshot) next(stranger)).more()) {
            // it comes in parts
        }
    }

    @Test
    void look_into_a_full_pool_and_nobody_hears_of_it() {
        var one = join(to("pair").size(2).open(true));
        var two = join(to("pair").size(2).open(true));
        assertThat(one.awaitClosed(LONG)).isTrue();
        var heard = Heard.by(one);
        two.elections().elect("begin");
        heard.await(PoolEvent.Elected.class);
        var before = heard.all();
        assertThatThrownBy(() -> join(to("pair"))).isInstanceOf(PoolFull.class);

        var visitor = visit(to("pair").open(true));
        assertThat(visitor.members()).isEqualTo(one.members()).hasSize(2);
        assertThat(visitor.size()).isEqualTo(2);
        assertThat(visitor.contact(two.id(), LONG)).isEqualTo(one.contact(two.id()));
        assertThat(Diagnosis.of(visitor).ping(two.id(), LONG)).isPositive();
        assertThat(visitor.surroundings(two.id())).contains(two.surroundings());
        // A member finds it, too.
        assertThat(one.contact(visitor.id())).isPresent();
        assertThat(Diagnosis.of(one).ping(visitor.id(), LONG)).isPositive();
        visitor.close();

        two.elections().elect("end");
        heard.await(
                event ->
                        event instanceof PoolEvent.Elected(var election, _, _)
                                && election.equals("end"),
                "the second election");
        assertThat(heard.all())
                .hasSize(before.size() + 1)
                .startsWith(before.toArray(PoolEvent[]::new));
        assertThat(one.members()).hasSize(2);
    }

    @Tag("slow")
    @Test
    void are_reached_by_every_way_that_members_are_the_relay_included() {
        var one = join(to("pair").size(1).open(true));
        var visitor = visit(to("pair").open(true));
        eventually(
                "it reaches the member",
                () ->
                        connected(Diagnosis.of(visitor).explain(one.id(), EACH))
                                .containsAll(List.of("direct", "routed")));
        eventually(
                "the member reaches it",
                () ->
                        connected(Diagnosis.of(visitor).explain(one.id(), visitor.id(), EACH))
                                .containsAll(List.of("direct", "routed")));
    }

    @Test
    void has_a_member_try_every_network_driver_in_the_order_of_auto_and_say_why_not() {
        var one = join(to("demo"));
        var other = join(to("demo"));
        var visitor = visit(to("demo"));
        for (var from : List.of(one.id(), visitor.id())) {
            var made = Diagnosis.of(visitor).trials(from, other.id(), EACH);
            assertThat(made.tried()).extracting(Tried::method).startsWith("loopback", "shm", "tcp");
            assertThat(connected(made)).contains("loopback", "shm", "tcp");
            assertThat(made.tried().get(1).why()).startsWith("there is a link; 8 bytes take");
        }
        assertThatThrownBy(() -> Diagnosis.of(visitor).trials(one.id(), new NodeId(1, 2), EACH))
                .hasMessageContaining("no member");
    }

    private static List<String> connected(Deliberation made) {
        return made.tried().stream().filter(Tried::connected).map(Tried::method).toList();
    }

    @Test
    void may_do_nothing_that_members_do_and_are_told_so() throws Exception {
        var one = join(to("demo"));
        var heard = Heard.by(one);
        var stranger = stranger("demo");
        stranger.visit();
        assertThat(next(stranger))
                .isInstanceOfSatisfying(
                        Reply.Welcome.class,
                        welcome -> assertThat(welcome.rank()).isEqualTo(Reply.Welcome.NO_RANK));
        hearsWhoIsThere(stranger);
        var wishes =
                List.of(
                        new Operation.Elect("master"),
                        new Operation.Next("row", 1),
                        new Operation.Take("licence", true),
                        new Operation.Signal("hello", true, List.of()),
                        new Operation.AssumeDead(one.id(), "so it seems"),
                        new Operation.Close("enough"),
                        new Operation.Terminate());
        for (int call = 1; call <= wishes.size(); call++) {
            stranger.link.send(
                    RequestCoding.encode(
                            new Request.Operate(call, List.of(), wishes.get(call - 1))));
            assertThat(next(stranger))
                    .isEqualTo(
                            new Reply.Settled(
                                    call,
                                    new Outcome.Refused(
                                            "a visitor is no member of the pool, and only members"
                                                    + " may do this")));
        }
        assertThat(one.elections().elect("master").winner().id()).isEqualTo(one.id());
        heard.await(PoolEvent.Elected.class);
        assertThat(heard.all()).hasSize(2); // itself, and that election
        assertThat(one.sequences().next("row")).isZero();
    }

    @Test
    void hear_what_happens_but_for_signals() throws Exception {
        var one = join(to("demo"));
        var stranger = stranger("demo");
        stranger.visit();
        assertThat(next(stranger)).isInstanceOf(Reply.Welcome.class);
        hearsWhoIsThere(stranger);
        one.signals().sendAll("among us");
        one.closePool("enough");
        var changes = new ArrayList<PoolEvent.Change>();
        while (changes.stream().noneMatch(PoolEvent.Closed.class::isInstance)) {
            changes.addAll(((Reply.Events) next(stranger)).changes());
        }
        assertThat(changes).noneMatch(PoolEvent.Signalled.class::isInstance);
    }

    @Test
    void are_told_that_there_is_no_such_pool_or_that_it_was_terminated() {
        assertThatThrownBy(() -> visit(to("nowhere")))
                .isInstanceOf(NoSuchPool.class)
                .hasMessage("there is no pool 'nowhere' at this hub: start its members first");
        var one = join(to("demo"));
        one.terminate();
        assertThatThrownBy(() -> visit(to("demo")))
                .isInstanceOf(NoSuchPool.class)
                .hasMessage("pool 'demo' was terminated by " + one.members().getFirst());
    }

    @Test
    void may_not_have_a_members_key() {
        var identity = Identity.create();
        join(to("demo").identity(identity));
        assertThatThrownBy(() -> visit(to("demo").identity(identity)))
                .isInstanceOf(IdInUse.class)
                .hasMessageContaining("a member of pool 'demo' has the id " + identity.id());
    }

    @Test
    @Tag("slow")
    void are_so_many_at_a_time_and_no_more() throws Exception {
        join(to("demo"));
        var strangers = new ArrayList<Stranger>();
        for (int i = 0; i < Register.MOST_VISITORS; i++) {
            var stranger = stranger("demo");
            stranger.visit();
            assertThat(next(stranger)).isInstanceOf(Reply.Welcome.class);
            strangers.add(stranger);
        }
        assertThatThrownBy(() -> visit(to("demo")))
                .isInstanceOf(HubFull.class)
                .hasMessageContaining("pool 'demo' has 64 visitors already");
        join(to("other"));
        visit(to("other"));
        // One that goes without a word leaves its place, too.
        strangers.getFirst().link.giveUp(Duration.ZERO);
        eventually("there is room for another", this::isLetIn);
    }

    private boolean isLetIn() {
        try {
            visit(to("demo"));
            return true;
        } catch (HubFull _) {
            return false;
        }
    }

    @Test
    void who_attaches_twice_is_sent_away() throws Exception {
        join(to("demo"));
        var stranger = stranger("demo");
        stranger.visit();
        assertThat(next(stranger)).isInstanceOf(Reply.Welcome.class);
        stranger.visit();
        for (var message = stranger.link.receive();
                message != null;
                message = stranger.link.receive()) {
            assertThat(ReplyCoding.decode(message)).isInstanceOf(Reply.Snapshot.class);
        }
        var other = stranger("demo");
        other.link.send(RequestCoding.encode(new Request.Unspoken(7)));
        assertThat(next(other))
                .isInstanceOfSatisfying(
                        Reply.Refused.class,
                        refused -> assertThat(refused.code()).isEqualTo(JoinRefusal.VERSION));
    }

    @ParameterizedTest
    @EnumSource(Membership.class)
    void are_looked_up_anew_each_time_for_nobody_says_when_they_are_gone(Membership membership) {
        var one = join(to("demo").membership(membership));
        var visitor = visit(to("demo"));
        assertThat(one.contact(visitor.id())).isPresent();
        visitor.close();
        eventually("it is gone", () -> one.contact(visitor.id()).isEmpty());
    }

    @Test
    void are_sent_away_when_the_last_member_has_gone() {
        var one = join(to("demo"));
        var visitor = visit(to("demo"));
        one.close();
        eventually("it was sent away", () -> isSentAway(visitor));
        assertThatThrownBy(() -> visitor.contact(new NodeId(1, 2), LONG))
                .isInstanceOf(Departed.class)
                .hasMessage("there is no pool 'demo' at this hub: start its members first");
    }

    private static boolean isSentAway(Visitor visitor) {
        try {
            visitor.contact(new NodeId(1, 2), LONG);
            return false;
        } catch (Departed _) {
            return true;
        }
    }

    @Test
    @Tag("slow")
    void come_back_to_a_hub_that_was_started_again() {
        var options = Hub.Options.DEFAULT.port(0).state(folder.resolve("state"));
        var first = Hub.start(options);
        opened.add(first);
        var join = Join.pool("demo").hub("localhost:" + first.port());
        join(join);
        var visitor = visit(join);
        assertThat(visitor.members()).hasSize(1);
        first.close();
        opened.add(Hub.start(options.port(first.port())));
        var late = join(join);
        eventually("it sees both", () -> visitor.members().size() == 2);
        assertThat(visitor.contact(late.id(), LONG)).isPresent();
        assertThat(late.contact(visitor.id())).isPresent();
        assertThat(late.members()).hasSize(2);
    }

    @Test
    void of_nobody_need_no_pool_and_are_in_nobodys_way() {
        var one = join(to("demo"));
        var visitor = Visitor.ofNobody(to("nowhere"));
        opened.add(visitor);
        assertThat(visitor.members()).hasSize(1);
        assertThat(visitor.pool()).startsWith("visit of nobody ");
        assertThatThrownBy(() -> join(to(visitor.pool()))).isInstanceOf(PoolFull.class);
        assertThat(one.members()).hasSize(1);
    }
}
