package org.ibidem.registry;

import java.time.Duration;
import java.util.List;
import org.ibidem.registry.uplink.Uplink;
import org.ibidem.registry.uplink.View;

/// Waits for members of a pool.
///
/// @param pool its name
/// @param uplink tells who is there
record Gathering(String pool, Uplink uplink) {
    List<Member> await(int count, Duration limit) {
        if (uplink.lookAtMembers(View::size) < count) {
            int size = uplink.welcome().size();
            if (size != Join.ANY_SIZE && count > size) {
                throw tooFew("is for %d members, and will not have %d".formatted(size, count));
            }
            uplink.await(view -> view.size() >= count || uplink.isSettled(), limit);
        }
        var members = uplink.look(View::members);
        if (members.size() >= count) {
            return members;
        }
        if (uplink.isSettled()) {
            throw tooFew(
                    "has %d members, and there will not be %d: it was closed, as %s"
                            .formatted(members.size(), count, uplink.look(View::closed)));
        }
        throw tooFew(
                "has %d members after %d ms, not %d: start the missing ones, or look after the hub"
                                .formatted(members.size(), limit.toMillis(), count)
                        + uplink.whyLost());
    }

    private TooFewMembers tooFew(String what) {
        return new TooFewMembers("pool '" + pool + "' " + what);
    }
}
