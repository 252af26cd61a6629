package org.ibidem.filter.multicast;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.ibidem.buffer.Frame;
import org.ibidem.link.FrameSink;
import org.ibidem.link.LinkBroken;
import org.ibidem.link.Losses;
import org.ibidem.ring.Joined;
import org.jspecify.annotations.Nullable;

/// The sink over several lowers. Each keeps a room of its own, which stays granted while another is
/// BUSY; what is granted above is as much as fits into all of them. Where they are joined, what is
/// granted is the broadcast's.
final class MulticastSink implements FrameSink, Joined {
    private final @Nullable FrameSink[] lowers;
    private final Frame[] rooms;
    private final Losses losses;
    private final Gathering gathering;

    /// Where all of them read; null: each is written to alone.
    private @Nullable Joint joint;

    /// The first that is left.
    private int first;

    /// Whose memory is filled: the one that was the first when room was granted. It may have been
    /// lost since then, and what was written by then is still there.
    private int granted;

    MulticastSink(List<? extends FrameSink> lowers, Multicast options, Losses losses) {
        this.lowers = lowers.toArray(FrameSink[]::new);
        this.rooms = new Frame[this.lowers.length];
        for (int i = 0; i < rooms.length; i++) {
            rooms[i] = new Frame();
        }
        this.losses = losses;
        this.gathering = Gathering.of(lowers, options, (e, i) -> lost(i, e));
    }

    @Override
    public boolean claim(Frame room, int atLeast) {
        var shared = joint;
        if (shared != null) {
            return claim(shared, room, atLeast);
        }
        for (int i = 0; i < lowers.length; i++) {
            if (lowers[i] != null && rooms[i].room() < Math.max(1, atLeast) && !claim(i, atLeast)) {
                return false;
            }
        }
        requireSome();
        grant(room);
        return true;
    }

    private boolean claim(Joint shared, Frame room, int atLeast) {
        try {
            boolean granted = shared.claim(room, atLeast);
            requireSome();
            return granted;
        } catch (Joint.TooSmall e) {
            part(String.valueOf(e.getMessage()));
            return claim(room, atLeast);
        }
    }

    private boolean claim(int i, int atLeast) {
        var lower = lowers[i];
        try {
            if (lower == null || lower.claim(rooms[i], atLeast)) {
                return true;
            }
            rooms[i].empty(); // A claim that is refused makes void what was granted before.
            return false;
        } catch (LinkBroken e) {
            lost(i, e);
            return true;
        }
    }

    private void grant(Frame room) {
        long least = Long.MAX_VALUE;
        for (int i = first; i < lowers.length; i++) {
            if (lowers[i] != null) {
                least = Math.min(least, rooms[i].room());
            }
        }
        granted = first;
        var filled = rooms[granted];
        room.show(filled);
        room.start = filled.position;
        room.limit = filled.position + least;
    }

    @Override
    public boolean commit(Frame room, int flags) {
        var shared = joint;
        if (shared != null) {
            shared.commit(room, flags);
            requireSome();
            return true;
        }
        boolean sent = copy(room, flags);
        requireSome();
        if (gathering.isDue()) {
            gather();
            room.empty();
        } else {
            grant(room);
        }
        requireSome();
        return sent;
    }

    private boolean copy(Frame room, int flags) {
        var filled = rooms[granted];
        long length = room.position - filled.position;
        boolean sent = true;
        for (int i = granted + 1; i < lowers.length; i++) {
            try {
                if (lowers[i] != null) {
                    copy(room.memory, filled.position, length, rooms[i]);
                    sent &= commit(i, flags);
                }
            } catch (InternalError e) { // here: compiled, the copy throws it when it has returned
                requireOf(i, e);
            }
        }
        filled.position = room.position;
        return commit(granted, flags) && sent;
    }

    private static void copy(MemorySegment from, long at, long length, Frame into) {
        MemorySegment.copy(from, at, into.memory, into.position, length);
        into.position += length;
    }

    private boolean commit(int i, int flags) {
        var lower = lowers[i];
        try {
            return lower == null || lower.commit(rooms[i], flags);
        } catch (LinkBroken e) {
            lost(i, e);
            return true;
        }
    }

    /// Memory was cut short: leaves this receiver out if it was its own, so that the others get the
    /// whole message. Else it was that which is filled, and the message is gone with it.
    private void requireOf(int i, InternalError e) {
        push(i); // looks at its page
        if (lowers[i] != null) {
            throw e;
        }
    }

    private void gather() {
        for (var room : rooms) {
            room.empty();
        }
        var broadcast = gathering.step();
        if (broadcast != null) {
            joint = new Joint(broadcast, gathering, lowers, (e, i) -> lost(i, e));
        }
    }

    @Override
    public boolean push() {
        var shared = joint;
        boolean all = true;
        if (shared != null) {
            shared.wake();
        } else {
            for (int i = first; i < lowers.length; i++) {
                all &= push(i);
            }
        }
        requireSome();
        return all;
    }

    private boolean push(int i) {
        var lower = lowers[i];
        try {
            return lower == null || lower.push();
        } catch (LinkBroken e) {
            lost(i, e);
            return true;
        }
    }

    @Override
    public int largest() {
        int largest = Integer.MAX_VALUE;
        for (var lower : lowers) {
            largest = lower == null ? largest : Math.min(largest, lower.largest());
        }
        return largest;
    }

    @Override
    public void part() {
        part("the receivers are others now");
    }

    private void part(String why) {
        var shared = joint;
        joint = null;
        if (shared != null) {
            shared.part();
        }
        gathering.giveUp(why);
        for (var room : rooms) {
            room.empty();
        }
    }

    private void lost(int i, LinkBroken why) {
        if (lowers[i] == null) {
            return;
        }
        lowers[i] = null;
        while (first < lowers.length && lowers[first] == null) {
            first++;
        }
        gathering.lost(i);
        losses.lost(i, why);
    }

    private void requireSome() {
        if (first == lowers.length) {
            throw new LinkBroken("all " + lowers.length + " receivers are lost");
        }
    }

    /// How its receivers are written to.
    @Override
    public String toString() {
        return joint != null
                ? "one write for " + lowers.length + " receivers"
                : lowers.length + " receivers are written to alone: " + gathering.why();
    }
}
