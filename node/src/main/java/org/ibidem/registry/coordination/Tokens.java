package org.ibidem.registry.coordination;

import java.time.Duration;
import org.ibidem.config.Limit;
import org.ibidem.registry.uplink.Uplink;
import org.ibidem.registry.wire.Operation;
import org.ibidem.registry.wire.Outcome;

/// Tokens by name, kept by the hub: any member adds some, any member takes them, each is taken
/// once. They say how much there is of something: licences, places, pieces of work. Who waits for
/// one gets it in the order of asking. A token taken is gone; whoever is to give it back adds it
/// again. Those of a member that died come back only if another one adds them.
///
/// After a [org.ibidem.registry.PoolEvent.Restarted] there are none.
public final class Tokens {
    private final Uplink uplink;
    private final Duration limit;

    /// Made by [org.ibidem.registry.Node].
    @SuppressWarnings("exports") // only Node has one to give
    public Tokens(Uplink uplink) {
        this(uplink, Limit.HUB.get());
    }

    private Tokens(Uplink uplink, Duration limit) {
        this.uplink = uplink;
        this.limit = limit;
    }

    /// The same with another time limit than 10 s for whatever is asked of the hub.
    public Tokens within(Duration limit) {
        return new Tokens(uplink, limit);
    }

    /// Adds tokens; those who wait get theirs first.
    ///
    /// @param count how many, 1 or more
    /// @return how many there are then that nobody has taken
    /// @throws org.ibidem.registry.HubUnreachable when the hub does not answer in time
    /// @throws OperationRefused when the pool has tokens of as many names as it can (4096)
    /// @throws PoolRestarted when the hub was started again without its state meanwhile
    public long add(String name, long count) {
        if (count < 1) {
            throw new IllegalArgumentException("one adds 1 token or more, not " + count);
        }
        return number(new Operation.Add(HubCall.name(name), count));
    }

    /// Says how many tokens there are from now on.
    ///
    /// @param count how many, 0 or more
    /// @return how many there were
    public long set(String name, long count) {
        if (count < 0) {
            throw new IllegalArgumentException("there are 0 tokens or more, not " + count);
        }
        return number(new Operation.Set(HubCall.name(name), count));
    }

    /// Removes all tokens of a name that nobody has taken.
    ///
    /// @return how many there were
    public long remove(String name) {
        return set(name, 0);
    }

    /// How many there are that nobody has taken.
    public long count(String name) {
        return number(new Operation.Count(HubCall.name(name)));
    }

    /// Takes one, if there is one now.
    ///
    /// @return whether there was
    public boolean take(String name) {
        return taken(uplink.operate(new Operation.Take(HubCall.name(name), false), limit));
    }

    /// Takes one, and waits for it if need be. One that arrives when the time is over, because the
    /// hub was lost or could not be told in time, is given back, as soon as the hub can take it.
    ///
    /// @return whether there was one within `limit`
    public boolean take(String name, Duration limit) {
        return taken(uplink.operate(new Operation.Take(HubCall.name(name), true), limit));
    }

    private long number(Operation operation) {
        return HubCall.number(uplink.operate(operation, limit));
    }

    private static boolean taken(Outcome outcome) {
        if (outcome instanceof Outcome.Taken(var got)) {
            return got;
        }
        throw HubCall.unexpected(outcome);
    }
}
