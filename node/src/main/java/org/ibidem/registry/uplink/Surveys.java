package org.ibidem.registry.uplink;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.ibidem.control.ControlLink;
import org.ibidem.link.FreeNumbers;
import org.ibidem.registry.HubUnreachable;
import org.ibidem.registry.wire.Reply;
import org.ibidem.registry.wire.Request;
import org.ibidem.registry.wire.RequestCoding;
import org.ibidem.topology.NodeId;
import org.ibidem.topology.Surroundings;
import org.jspecify.annotations.Nullable;

/// What members say of the networks they are in: asked through the hub by need, and kept until it
/// is a minute old, or the member is gone or back. Guarded by the uplink's lock.
final class Surveys {
    private static final Duration ASK_AGAIN = Duration.ofMillis(50);
    private static final int MOST_OPEN = 256;

    private final Uplink uplink;
    private final Guard guard;
    private final Map<Integer, Question> open = new HashMap<>();
    private final Latest latest = new Latest();
    private final AtomicBoolean describing = new AtomicBoolean();
    final FreeNumbers numbers = new FreeNumbers();

    /// One question.
    private static final class Question {
        private final NodeId about;
        private final boolean awaited;
        private Reply.@Nullable Surveyed answer;

        Question(NodeId about, boolean awaited) {
            this.about = about;
            this.awaited = awaited;
        }
    }

    Surveys(Uplink uplink, Guard guard) {
        this.uplink = uplink;
        this.guard = guard;
    }

    /// Tells the hub what this node knows of its own network. The system takes its time to say
    /// which interfaces there are; the reader goes on.
    void describe(@Nullable ControlLink at, Supplier<Surroundings> own) {
        if (at != null && describing.compareAndSet(false, true)) {
            uplink.tasks()
                    .start(
                            "describe the network",
                            () -> {
                                try {
                                    var known = new Request.Described(own.get());
                                    at.send(RequestCoding.encode(known));
                                } finally {
                                    describing.set(false);
                                }
                            });
        }
    }

    /// What a member says; asked, and waited for.
    ///
    /// @return none when it is no member, or says nothing
    /// @throws HubUnreachable when the hub does not answer in time
    Optional<Surroundings> of(NodeId id, Duration limit) {
        long deadline = guard.deadline(limit);
        do {
            var here = guard.locked(() -> known(id));
            if (here.isPresent()) {
                return here;
            }
            if (guard.await(() -> uplink.link() != null || uplink.ended(), guard.left(deadline))) {
                uplink.requireMember();
                var answer = ask(id, deadline);
                if (answer != null) {
                    return answer.found();
                }
            }
        } while (guard.left(deadline) > 0);
        throw new HubUnreachable(
                uplink.hub()
                        + " did not say in time what network node "
                        + id.brief()
                        + " is in"
                        + uplink.whyLost());
    }

    /// What a member has said lately, for who does not want to wait.
    Optional<Surroundings> known(NodeId id) {
        return guard.locked(() -> latest.of(id, uplink.tasks().nanoTime()));
    }

    /// Asks, for those who will want to know it soon; does nothing when it is known, or asked.
    void wish(NodeId id) {
        guard.run(() -> {
            var link = uplink.link();
            boolean asked = open.values().stream().anyMatch(each -> each.about.equals(id));
            if (link != null && !asked && open.size() < MOST_OPEN && known(id).isEmpty()) {
                ask(link, new Question(id, false));
            }
        });
    }

    private int ask(ControlLink link, Question question) {
        int call = numbers.take(open::containsKey);
        open.put(call, question);
        link.send(RequestCoding.encode(new Request.Survey(call, question.about)));
        return call;
    }

    /// Asks once.
    ///
    /// @return null when the link was lost before the answer, or there were too many questions
    private Reply.@Nullable Surveyed ask(NodeId id, long deadline) {
        var question = new Question(id, true);
        var at = guard.locked(uplink::link);
        int call =
                guard.locked(() -> at == null || open.size() >= MOST_OPEN ? 0 : ask(at, question));
        if (call == 0) {
            guard.await(
                    () -> uplink.link() != at, Math.min(guard.left(deadline), ASK_AGAIN.toNanos()));
            return null;
        }
        try {
            guard.await(() -> question.answer != null || uplink.link() != at, guard.left(deadline));
            return guard.locked(() -> question.answer);
        } finally {
            guard.run(() -> open.remove(call));
        }
    }

    // What the reading task calls, under the lock.

    /// An answer came; one to no question of ours is forgotten.
    void answered(Reply.Surveyed answer) {
        var question = open.get(answer.call());
        if (question == null) {
            return;
        }
        question.answer = answer;
        if (!question.awaited) {
            open.remove(answer.call());
        }
        if (uplink.follows(question.about)) {
            var age = Duration.ofMillis(answer.age());
            long now = uplink.tasks().nanoTime();
            answer.found().ifPresent(said -> latest.learn(question.about, said, age, now));
        }
    }

    /// The member is gone, or may be reached elsewhere now.
    void forget(NodeId id) {
        latest.forget(id);
    }

    /// The connection is lost, and with it the answers that nobody waits for.
    void lost() {
        open.values().removeIf(question -> !question.awaited);
    }

    /// There is another connection, perhaps to a hub that has begun anew: what was heard before may
    /// be of those who are gone.
    void attached() {
        latest.clear();
    }
}
