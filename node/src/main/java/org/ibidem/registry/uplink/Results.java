package org.ibidem.registry.uplink;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.ibidem.registry.PoolEvent;

/// The results of elections that outcomes of own operations have told of: they may be here before
/// the news. Guarded by the uplink's lock.
final class Results {
    private final Map<String, PoolEvent.Elected> results = new HashMap<>();

    void add(PoolEvent.Elected result) {
        results.put(result.election(), result);
    }

    /// Forgets them: what the hub tells counts alone.
    void clear() {
        results.clear();
    }

    /// The winner of an election, by the latest of both.
    Optional<PoolEvent.Elected> winner(View view, String election) {
        var result = results.get(election);
        return result != null && result.term() > view.term(election)
                ? Optional.of(result)
                : view.elected(election);
    }
}
