package org.ibidem.registry.coordination;

import java.time.Duration;
import java.util.Optional;
import org.ibidem.config.Limit;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.uplink.Uplink;
import org.ibidem.registry.wire.Operation;
import org.ibidem.registry.wire.Outcome;

/// Elections by name, held by the hub. The first member to stand wins; when it leaves or dies, the
/// one who has stood for longest after it wins, without being asked again. Strict: at any time
/// there is one winner at most, and all members hear of the same ones in the same order.
///
/// ```java
/// var master = node.elections().elect("master").winner();
/// ```
public final class Elections {
    private final Uplink uplink;
    private final Duration limit;

    /// Made by [org.ibidem.registry.Node].
    @SuppressWarnings("exports") // only Node has one to give
    public Elections(Uplink uplink) {
        this(uplink, Limit.HUB.get());
    }

    private Elections(Uplink uplink, Duration limit) {
        this.uplink = uplink;
        this.limit = limit;
    }

    /// The same with another time limit than 10 s for whatever is asked of the hub.
    public Elections within(Duration limit) {
        return new Elections(uplink, limit);
    }

    /// Stands in an election, for as long as this node lives or until it withdraws. One who gives
    /// up, by the time limit or an interrupt, does not stand by it; whether this node stands is for
    /// its other calls to say.
    ///
    /// @return who has won, perhaps this node
    /// @throws org.ibidem.registry.HubUnreachable when the hub does not answer in time
    /// @throws OperationRefused when the pool has as many elections as it can (4096)
    public Election elect(String name) {
        return elect(name, limit);
    }

    /// As [#elect(String)], with another time limit.
    public Election elect(String name, Duration limit) {
        var outcome = uplink.operate(new Operation.Elect(HubCall.name(name)), limit);
        if (outcome instanceof Outcome.Elected(var winner, var term)) {
            return new Election(name, winner, term);
        }
        throw HubCall.unexpected(outcome);
    }

    /// Who has won an election, if this node has heard of a winner.
    public Optional<Election> result(String name) {
        return uplink.elected(name).map(Elections::election);
    }

    /// Waits until an election has a winner.
    ///
    /// @return none when it has none within `limit`
    public Optional<Election> result(String name, Duration limit) {
        return uplink.awaitElected(name, limit).map(Elections::election);
    }

    /// Stands no more; if this node has won, the next one does. One who gives up has withdrawn all
    /// the same, as soon as the hub hears of it.
    ///
    /// @throws org.ibidem.registry.HubUnreachable when the hub does not answer in time
    public void withdraw(String name) {
        uplink.operate(new Operation.Withdraw(HubCall.name(name)), limit);
    }

    private static Election election(PoolEvent.Elected elected) {
        return new Election(elected.election(), elected.winner(), elected.term());
    }
}
