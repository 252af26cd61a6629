package org.ibidem.lab.nemesis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.ibidem.IbidemException;
import org.ibidem.arbitration.WaitInterrupted;
import org.ibidem.identity.Identity;
import org.ibidem.lab.history.Notebook;
import org.ibidem.registry.Departed;
import org.ibidem.registry.HubUnreachable;
import org.ibidem.registry.Join;
import org.ibidem.registry.JoinRefused;
import org.ibidem.registry.Membership;
import org.ibidem.registry.Node;
import org.ibidem.registry.coordination.OperationRefused;

/// One node that notes what it has its hub do, and what it hears.
final class Client {
    private static final Duration CLOSING = Duration.ofSeconds(3);

    private final Notebook notes;
    private final Identity identity = Identity.create();
    private final AtomicLong numbers = new AtomicLong();
    private final AtomicLong done;
    private final Membership membership;
    private Node node;
    private Parcels parcels;
    private volatile boolean over;

    /// What a call gives, as words.
    interface Operation {
        List<?> run();
    }

    /// @param worker its process
    /// @param place what it reaches its hub by
    /// @param done counts what is done in its process
    Client(Notebook notes, String worker, Place place, AtomicLong done) {
        this.notes = notes;
        this.done = done;
        this.membership = place.membership();
        notes.note(name(), "is", worker, place.link(), membership, place.open() ? "open" : "local");
    }

    String name() {
        return identity.id().brief();
    }

    Parcels parcels() {
        return parcels;
    }

    Membership membership() {
        return membership;
    }

    Node node() {
        return node;
    }

    /// Whether it is no member any more.
    boolean over() {
        return over;
    }

    boolean join(Place place, Duration limit) {
        var join =
                Join.pool(World.POOL)
                        .hub("localhost:" + place.port())
                        .membership(membership)
                        .open(place.open())
                        .identity(identity)
                        .limit(limit);
        call(
                limit,
                () -> {
                    node = Node.join(join);
                    return List.of(node.rank());
                },
                "join");
        if (node == null) {
            over = true;
            return false;
        }
        new Ear(notes, name(), node).listen();
        parcels = new Parcels(this, notes);
        parcels.take();
        if (membership == Membership.ORDERED) {
            elect("mark-" + name(), Duration.ofSeconds(20));
        }
        return true;
    }

    void elect(String name, Duration limit) {
        call(
                limit,
                () -> {
                    var won = node.elections().elect(name, limit);
                    return List.of(won.winner().id().brief(), won.term());
                },
                "elect",
                name);
    }

    /// Does something, and notes what came of it.
    void call(Duration limit, Operation operation, Object... what) {
        long number = numbers.incrementAndGet();
        var words = new ArrayList<Object>(List.of(number, limit.toMillis()));
        words.addAll(List.of(what));
        notes.note(name(), "invoke", words.toArray());
        var end = new ArrayList<Object>(List.of(number));
        var how = "ok";
        try {
            end.addAll(operation.run());
            done.incrementAndGet();
        } catch (OperationRefused | JoinRefused.HubFull e) {
            how = "fail";
            end.addAll(List.of(e.getClass().getSimpleName(), e.getMessage()));
        } catch (RuntimeException e) {
            how = "unknown";
            end.addAll(List.of(reason(e), String.valueOf(e.getMessage())));
        }
        notes.note(name(), how, end.toArray());
    }

    private String reason(RuntimeException e) {
        if (e instanceof Departed) {
            over = true;
        }
        if (e instanceof HubUnreachable || e instanceof Departed) {
            return e.getClass().getSimpleName();
        }
        if (e instanceof WaitInterrupted || e.getCause() instanceof InterruptedException) {
            return "Interrupted";
        }
        boolean closed =
                e.getClass() == IbidemException.class
                        && String.valueOf(e.getMessage()).equals("this node was closed");
        return closed ? "Closed" : e.getClass().getName();
    }

    void close() {
        over = true;
        if (node != null) {
            call(
                    CLOSING,
                    () -> {
                        node.close();
                        return List.of();
                    },
                    "close");
        }
    }

    /// Notes what it knows: who is there, and who has won these.
    void view(List<String> elections) {
        if (over) {
            return;
        }
        if (membership != Membership.NONE) {
            var members = new ArrayList<Object>(List.of("members"));
            node.members().forEach(member -> members.add(member.id().brief()));
            notes.note(name(), "view", members.toArray());
        }
        var won = new ArrayList<Object>(List.of("elections"));
        for (var name : elections) {
            node.elections()
                    .result(name)
                    .ifPresent(election ->
                            won.addAll(
                                    List.of(
                                            name,
                                            election.winner().id().brief(),
                                            election.term())));
        }
        notes.note(name(), "view", won.toArray());
    }
}
