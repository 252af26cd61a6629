package org.ibidem.registry.uplink;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.ibidem.IbidemException;
import org.ibidem.arbitration.WaitInterrupted;
import org.ibidem.config.Limit;
import org.ibidem.connect.Unreachable;
import org.ibidem.handshake.HandshakeBroken;
import org.ibidem.handshake.HandshakeRefused;
import org.ibidem.handshake.HandshakeTimeout;
import org.ibidem.handshake.Refusal;
import org.ibidem.handshake.Untrusted;
import org.ibidem.handshake.VersionMismatch;
import org.ibidem.registry.Departed;
import org.ibidem.registry.HubUnreachable;
import org.ibidem.registry.JoinRefused;
import org.ibidem.registry.uplink.Attachment.Memory;
import org.ibidem.registry.wire.Protocol;
import org.ibidem.registry.wire.Reply;
import org.ibidem.registry.wire.Request;
import org.ibidem.registry.wire.Request.Past;
import org.jspecify.annotations.Nullable;

/// Finds a hub to attach through, and the way back to it.
final class Attacher {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    private final UplinkContext context;
    private final Guard guard;
    private volatile @Nullable HubAddress hub;

    /// The hub that may have taken the node in, and did not say so.
    private @Nullable HubAddress asked;

    /// Which join this is, however often it has to ask.
    private final long join = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);

    Attacher(UplinkContext context, Guard guard) {
        this.context = context;
        this.guard = guard;
    }

    /// The hub found, or tried last.
    String hub() {
        return String.valueOf(hub);
    }

    /// Attaches through the first hub that answers. One that is there but dropped the connection
    /// has more to do than it can, and is tried again. One that may have taken the node in before
    /// it did is tried first from then on, until the time limit: to be a member there, unheard, and
    /// of another hub's pool would be one too many.
    ///
    /// @throws HubUnreachable when none does
    /// @throws JoinRefused when one does and says no
    Attachment first(long deadline) {
        for (var pause = FIRST_PAUSE; ; pause = longer(pause)) {
            var failures = new ArrayList<IbidemException>();
            var attachment = tryAll(deadline, failures);
            if (attachment != null) {
                return attachment;
            }
            if ((asked == null && failures.stream().noneMatch(Attacher::mayPass))
                    || !rest(pause, guard.left(deadline))) {
                throw noneOf(failures);
            }
        }
    }

    private @Nullable Attachment tryAll(long deadline, List<IbidemException> failures) {
        var own = context.wish();
        var wish = wish(Past.NONE, own.rank(), own.size());
        var hubs = hubs();
        int tries = hubs.size();
        for (var address : hubs) {
            hub = address;
            try {
                var share = Duration.ofNanos(Math.max(1, guard.left(deadline) / tries--));
                return Attachment.make(address, context, wish, Memory.NONE, share);
            } catch (JoinRefused | Departed e) {
                throw e;
            } catch (IbidemException e) {
                failures.add(e);
                if (e instanceof DroppedByHub dropped && dropped.asked()) {
                    asked = address;
                    return null;
                }
            }
        }
        return null;
    }

    private List<HubAddress> hubs() {
        var hubs = new ArrayList<HubAddress>();
        context.hubs().forEach(text -> hubs.add(HubAddress.parse(text)));
        var first = asked;
        if (first != null && hubs.remove(first)) {
            hubs.addFirst(first);
        }
        return hubs;
    }

    /// Attaches again, once.
    ///
    /// @throws Departed when this node is no member any more
    Attachment again(Reply.Welcome was, Past past, Memory memory) {
        var again =
                Attachment.make(
                        Objects.requireNonNull(hub),
                        context,
                        wish(past, was.rank(), was.size()),
                        memory,
                        Limit.HUB.get());
        if (again.welcome().rank() != was.rank()) {
            again.link().close("it is not the member that the hub takes it for");
            throw new Departed("the hub gave rank " + was.rank() + " to another node");
        }
        return again;
    }

    static Duration firstPause() {
        return FIRST_PAUSE;
    }

    static Duration longer(Duration pause) {
        var twice = pause.multipliedBy(2);
        return twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
    }

    /// About as long, a little more or less, so that not all nodes of a pool come at once.
    static long jittered(Duration pause) {
        return (long) (pause.toNanos() * (0.75 + ThreadLocalRandom.current().nextDouble() / 2));
    }

    private Request wish(Past past, int rank, int size) {
        if (context.wish().visits()) {
            return new Request.Visit(Protocol.VERSION, context.self());
        }
        return new Request.Attach(
                Protocol.VERSION,
                context.self(),
                context.wish().location(),
                context.wish().tag(),
                size,
                rank,
                context.wish().membership(),
                past,
                new Request.Arrival(join, "", ""));
    }

    /// Waits a while.
    ///
    /// @return false when there is no time left for it
    private boolean rest(Duration pause, long left) {
        long nanos = jittered(pause);
        if (nanos >= left) {
            return false;
        }
        guard.await(() -> false, nanos);
        return true;
    }

    private static boolean mayPass(IbidemException failure) {
        return failure instanceof DroppedByHub
                || (failure instanceof Unreachable unreachable
                        && unreachable.attempts().stream()
                                .anyMatch(attempt ->
                                        attempt.cause() instanceof HandshakeBroken
                                                || attempt.cause() instanceof HandshakeTimeout));
    }

    private static IbidemException noneOf(List<IbidemException> failures) {
        var reasons =
                failures.stream()
                        .map(e -> String.valueOf(e.getMessage()))
                        .collect(Collectors.joining(" | "));
        var failure =
                Thread.currentThread().isInterrupted()
                        ? new WaitInterrupted("a hub")
                        : any(failures, VersionMismatch.class::isInstance)
                                ? new JoinRefused.VersionDiffers(reasons)
                                : any(failures, Attacher::untrusted)
                                        ? new JoinRefused.NotTrusted(reasons)
                                        : any(failures, Attacher::isOfNoPool)
                                                ? new JoinRefused.NoSuchPool(reasons)
                                                : new HubUnreachable(
                                                        "no hub could be reached: "
                                                                + reasons
                                                                + "; start one with 'ibidem hub', or name"
                                                                + " another address");
        failures.forEach(failure::addSuppressed);
        return failure;
    }

    private static boolean any(List<IbidemException> failures, Predicate<Throwable> such) {
        return failures.stream()
                .anyMatch(failure ->
                        such.test(failure)
                                || (failure instanceof Unreachable unreachable
                                        && unreachable.attempts().stream()
                                                .anyMatch(each -> such.test(each.cause()))));
    }

    private static boolean isOfNoPool(Throwable failure) {
        return failure instanceof HandshakeRefused refused && refused.refusal() == Refusal.POOL;
    }

    private static boolean untrusted(Throwable failure) {
        return failure instanceof Untrusted
                || (failure instanceof HandshakeRefused refused
                        && (refused.refusal() == Refusal.CERTIFICATE
                                || refused.refusal() == Refusal.JOB));
    }
}
