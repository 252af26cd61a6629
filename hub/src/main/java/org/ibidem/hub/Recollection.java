package org.ibidem.hub;

import java.util.ArrayList;
import java.util.List;
import org.ibidem.hub.pools.Command.Recalled;
import org.ibidem.registry.Member;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.wire.Protocol;
import org.ibidem.registry.wire.Request;

/// What one node says it remembers of its pool, put together from its messages.
final class Recollection {
    private final List<Member> members = new ArrayList<>();
    private final List<PoolEvent.Elected> elections = new ArrayList<>();

    /// Adds a part.
    ///
    /// @return false: there is more of it than there can be
    boolean add(Request.Recall part) {
        if (members.size() + part.members().size() > Protocol.MOST_MEMBERS
                || elections.size() + part.elections().size() > Protocol.MOST_NAMES) {
            return false;
        }
        members.addAll(part.members());
        elections.addAll(part.elections());
        return true;
    }

    /// All of it, once.
    Recalled take() {
        var all = new Recalled(members, elections);
        members.clear();
        elections.clear();
        return all;
    }
}
