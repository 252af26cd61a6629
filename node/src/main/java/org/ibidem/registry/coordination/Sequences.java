package org.ibidem.registry.coordination;

import java.time.Duration;
import org.ibidem.config.Limit;
import org.ibidem.registry.uplink.Uplink;
import org.ibidem.registry.wire.Operation;

/// Numbers by name, given out by the hub: 0, 1, 2, … Each is given to one member of the pool once,
/// however often connections are lost meanwhile; who takes a number later gets a higher one. None
/// is left out, but those of a member that was gone before it got them, or did not wait for them.
///
/// After a [org.ibidem.registry.PoolEvent.Restarted] they begin at 0 again.
public final class Sequences {
    private final Uplink uplink;
    private final Duration limit;

    /// Made by [org.ibidem.registry.Node].
    @SuppressWarnings("exports") // only Node has one to give
    public Sequences(Uplink uplink) {
        this(uplink, Limit.HUB.get());
    }

    private Sequences(Uplink uplink, Duration limit) {
        this.uplink = uplink;
        this.limit = limit;
    }

    /// The same with another time limit than 10 s for whatever is asked of the hub.
    public Sequences within(Duration limit) {
        return new Sequences(uplink, limit);
    }

    /// Takes the next number. One who gives up leaves it out for all.
    ///
    /// @throws org.ibidem.registry.HubUnreachable when the hub does not answer in time
    /// @throws OperationRefused when the pool has as many sequences as it can (4096)
    /// @throws PoolRestarted when the hub was started again without its state meanwhile
    public long next(String name) {
        return next(name, 1);
    }

    /// Another number whenever all sequences begin anew: with a hub that was started again without
    /// its state. Asks nobody.
    public long epoch() {
        return uplink.welcome().epoch();
    }

    /// Takes several numbers that follow each other.
    ///
    /// @param count how many, 1 or more
    /// @return the first of them
    public long next(String name, int count) {
        if (count < 1) {
            throw new IllegalArgumentException("one takes 1 number or more, not " + count);
        }
        return HubCall.number(uplink.operate(new Operation.Next(HubCall.name(name), count), limit));
    }
}
