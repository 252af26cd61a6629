package org.ibidem.registry;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.ibidem.registry.uplink.Uplink;
import org.ibidem.registry.uplink.View;

/// Waits for members of a pool.
///
/// @param pool its name
/// @param uplink tells who is there
record Gathering(String pool, Uplink uplink) {
    List<Member> await(int count, Duration limit) {
        var here = new AtomicReference<>(uplink.lookAtMembers(view -> gathered(view, count)));
        if (here.get().isEmpty()) {
            int size = uplink.welcome().size();
            if (size != Join.ANY_SIZE && count > size) {
                throw tooFew("is for %d members, and will not have %d".formatted(size, count));
            }
            uplink.await(
                    view -> {
                        if (here.get().isEmpty()) { // else some may have left again
                            here.set(gathered(view, count));
                        }
                        return !here.get().isEmpty() || uplink.isSettled();
                    },
                    limit);
        }
        if (!here.get().isEmpty()) {
            return here.get();
        }
        int present = uplink.look(View::size);
        if (uplink.isSettled()) {
            throw tooFew(
                    "has %d members, and there will not be %d: it was closed, as %s"
                            .formatted(present, count, uplink.look(View::closed)));
        }
        throw tooFew(
                "has %d members after %d ms, not %d: start the missing ones, or look after the hub"
                                .formatted(present, limit.toMillis(), count)
                        + uplink.whyLost());
    }

    /// The members, or an empty list where there are not enough yet. A pool that is complete stays
    /// complete: a quick member may have left before a slow one looks.
    private static List<Member> gathered(View view, int count) {
        if (view.size() >= count) {
            return view.members();
        }
        var all = view.membersWhenClosed();
        return all.size() >= count ? all : List.of();
    }

    private TooFewMembers tooFew(String what) {
        return new TooFewMembers("pool '" + pool + "' " + what);
    }
}
