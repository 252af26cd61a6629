package org.ibidem.filter.multicast;

import java.io.IOException;
import java.util.List;
import java.util.function.ObjIntConsumer;
import org.ibidem.link.FrameSink;
import org.ibidem.link.LinkBroken;
import org.ibidem.monitor.FlightEvents;
import org.ibidem.ring.Broadcast;
import org.ibidem.ring.Joinable;
import org.ibidem.ring.Participant;
import org.ibidem.ring.Participant.Answer;
import org.jspecify.annotations.Nullable;

/// How several lowers come to be joined in a [Broadcast], while frames are written into each of
/// them as ever. Nobody is waited for: a step is made after a frame, if it can be.
///
/// It begins when there were some frames, so that receivers that come and go cost no memory.
final class Gathering {
    /// Frames written into each alone before a broadcast is opened.
    private static final int PATIENCE = 64;

    private final Participant[] all;
    private final ObjIntConsumer<LinkBroken> lost;
    private final boolean[] invited;
    private final boolean[] gone;
    private @Nullable Broadcast broadcast;
    private int frames;
    private boolean allInvited;
    private String why;

    private Gathering(Participant[] all, ObjIntConsumer<LinkBroken> lost, String why) {
        this.all = all;
        this.lost = lost;
        this.why = why;
        this.invited = new boolean[all.length];
        this.gone = new boolean[all.length];
        if (all.length == 0) {
            frames = Integer.MIN_VALUE;
        }
    }

    /// Of lowers that are written to, and of which one may be found to be broken.
    static Gathering of(
            List<? extends FrameSink> lowers, Multicast options, ObjIntConsumer<LinkBroken> lost) {
        if (options.copy()) {
            return never(lost, "multicast(copy=true)");
        }
        var all = new Participant[lowers.size()];
        for (int i = 0; i < all.length; i++) {
            var one = lowers.get(i) instanceof Joinable lower ? lower.participant() : null;
            if (one == null) {
                return never(lost, "receiver " + i + " is not reached by shared memory alone");
            }
            all[i] = one;
        }
        return new Gathering(all, lost, "few frames were written");
    }

    private static Gathering never(ObjIntConsumer<LinkBroken> lost, String why) {
        return new Gathering(new Participant[0], lost, why);
    }

    Participant participant(int i) {
        return all[i];
    }

    /// Why they are not joined, or not yet.
    String why() {
        return why;
    }

    /// Whether a step may be made; asked after each frame. To be followed by [#step].
    boolean isDue() {
        return frames != Integer.MIN_VALUE && ++frames >= PATIENCE && mayGoOn();
    }

    /// While answers are waited for there is no step to be made.
    private boolean mayGoOn() {
        if (!allInvited) {
            return true;
        }
        for (int i = 0; i < all.length; i++) {
            if (!gone[i] && answer(i) == Answer.NONE) {
                return false;
            }
        }
        return true;
    }

    private Answer answer(int i) {
        try {
            return all[i].answer();
        } catch (LinkBroken e) {
            lost.accept(e, i);
            return Answer.CAME; // of no consequence
        }
    }

    /// Makes one. Room that was granted is void.
    ///
    /// @return the broadcast, where they are joined from now on
    @Nullable Broadcast step() {
        var mine = broadcast;
        if (mine == null) {
            return open();
        }
        if (!allInvited) {
            invite(mine);
            return null;
        }
        for (int i = 0; i < all.length; i++) {
            if (!gone[i] && answer(i) == Answer.DECLINED) {
                giveUp("receiver " + i + " does not see the memory");
                return null;
            }
        }
        return join() ? mine : null;
    }

    private @Nullable Broadcast open() {
        try {
            var made = Participant.open(all);
            broadcast = made;
            for (int i = 0; i < all.length; i++) {
                if (gone[i]) {
                    made.drop(i);
                }
            }
            why = "some receivers have not come yet";
            invite(made);
        } catch (IOException e) {
            giveUp(String.valueOf(e.getMessage()));
            FlightEvents.broadcast(all.length, why);
        }
        return null;
    }

    private void invite(Broadcast to) {
        boolean every = true;
        for (int i = 0; i < all.length; i++) {
            every &= gone[i] || invited[i] || invite(to, i);
        }
        allInvited = every;
    }

    private boolean invite(Broadcast to, int i) {
        try {
            invited[i] = all[i].invite(to, i);
            return invited[i];
        } catch (LinkBroken e) {
            lost.accept(e, i);
            return true;
        }
    }

    private boolean join() {
        for (int i = 0; i < all.length; i++) {
            if (!gone[i] && !mayJoin(i)) {
                return false;
            }
        }
        for (int i = 0; i < all.length; i++) {
            if (!gone[i]) {
                try {
                    all[i].join();
                } catch (LinkBroken e) {
                    lost.accept(e, i);
                }
            }
        }
        frames = Integer.MIN_VALUE;
        why = "";
        FlightEvents.broadcast(all.length, why);
        return true;
    }

    private boolean mayJoin(int i) {
        try {
            return all[i].mayJoin();
        } catch (LinkBroken e) {
            lost.accept(e, i);
            return true;
        }
    }

    /// A lower is lost.
    void lost(int i) {
        if (i < all.length) {
            gone[i] = true;
            var mine = broadcast;
            if (mine != null) {
                mine.drop(i);
            }
        }
    }

    /// They are not joined, and will not be.
    void giveUp(String reason) {
        frames = Integer.MIN_VALUE;
        why = reason;
        for (var one : all) {
            one.parted();
        }
        var mine = broadcast;
        broadcast = null;
        if (mine != null) {
            mine.close();
            FlightEvents.broadcast(all.length, reason);
        }
    }
}
