package org.ibidem.ring;

import java.io.IOException;
import org.ibidem.buffer.Frame;
import org.ibidem.buffer.RingWriter;
import org.ibidem.buffer.Tally;
import org.ibidem.link.LinkBroken;
import org.jspecify.annotations.Nullable;

/// The sending side of one link over rings, as one of several that are joined in a [Broadcast].
///
/// ```
/// invite: the reader is told, in its own ring, where the broadcast is
/// answer: it has come (or it cannot)
/// join:   it is told, in its own ring, that what follows is in the broadcast
/// part:   it is told, in the broadcast, that what follows is in its own ring
/// ```
///
/// Nobody waits for the answer: until all have come, each is written to alone. Used by the writer's
/// thread alone.
public final class Participant {
    /// What a reader says to an invitation.
    public enum Answer {
        /// Nothing yet.
        NONE,
        /// It has come.
        CAME,
        /// It cannot see the memory.
        DECLINED
    }

    private static final int LOOK_EVERY = RingSource.LOOK_EVERY;

    private final RingWriter ring;
    private final RingLink link;
    private final RingSink sink;
    private final Frame room = new Frame();
    private Tally tally;
    private @Nullable Broadcast broadcast;
    private int index;
    private int number;
    private boolean joined;
    private int refused;

    /// @param sink whose part it is
    Participant(RingWriter ring, RingLink link, RingSink sink, Tally tally) {
        this.sink = sink;
        this.ring = ring;
        this.link = link;
        this.tally = tally;
    }

    void tally(Tally counts) {
        tally = counts;
    }

    /// Opens a broadcast for this one and others over links of the same driver.
    ///
    /// @param all who are to take part
    /// @throws IOException when there is no memory for it
    public static Broadcast open(Participant[] all) throws IOException {
        var ground = all[0].link.broadcast(all.length);
        return new Broadcast(ground, all.length, (i, why) -> all[i].link.violated(why));
    }

    /// Tells the reader where the broadcast is. Room that was granted by the link's sink is void.
    ///
    /// @param reader which of the broadcast's readers it will be
    /// @return false: not yet, its own ring is full
    public boolean invite(Broadcast to, int reader) {
        requireThere();
        try {
            var ground = to.ground();
            if (!ring.claim(room, ground.told())) {
                return false;
            }
            ground.tell(room.memory, room.position, reader);
            room.position += ground.told();
            number = ring.invite(room);
            broadcast = to;
            index = reader;
            to.readers().announce(reader, ring.announced());
            wakeFromOwn();
            return true;
        } catch (IllegalStateException | InternalError e) {
            throw link.violated(e);
        }
    }

    private void requireThere() {
        var broken = link.reason();
        if (broken != null) {
            throw new LinkBroken(broken);
        }
    }

    private void wakeFromOwn() {
        if (ring.mustWakeReader()) {
            ring();
        }
    }

    private void ring() {
        tally.add(Tally.What.DOORBELLS, 1);
        link.wakePeer();
    }

    private Broadcast shared() {
        var mine = broadcast;
        if (mine == null) {
            throw new IllegalStateException("it was not invited");
        }
        return mine;
    }

    /// What the reader says to the invitation.
    public Answer answer() {
        try {
            return shared().readers().hasCome(index)
                    ? Answer.CAME
                    : ring.declined() == number ? Answer.DECLINED : Answer.NONE;
        } catch (InternalError e) {
            throw link.violated(e);
        }
    }

    /// Whether there is room for what [#join] says. Room that was granted by the link's sink is
    /// void.
    public boolean mayJoin() {
        requireThere();
        try {
            return ring.claim(room, 0);
        } catch (IllegalStateException | InternalError e) {
            throw link.violated(e);
        }
    }

    /// Sends the reader to the broadcast, from its beginning on; right after [#mayJoin].
    public void join() {
        try {
            ring.join(room);
            joined = true;
            wakeFromOwn();
        } catch (IllegalStateException | InternalError e) {
            throw link.violated(e);
        }
    }

    /// How far the broadcast was written.
    long moved() {
        var mine = broadcast;
        return mine == null ? 0 : mine.ring().written();
    }

    boolean isJoined() {
        return joined;
    }

    /// The broadcast was parted; the reader is still to be told ([#wake]) before this.
    public void parted() {
        joined = false;
        broadcast = null;
    }

    /// Wakes the reader if it sleeps, after a frame that ends a burst.
    public void wake() {
        requireThere();
        try {
            if (shared().readers().mustWake(index)) {
                ring();
            }
        } catch (IllegalStateException | InternalError e) {
            throw link.violated(e);
        }
    }

    /// The memory of the broadcast did not obey the rules, or is gone: this link ends.
    public LinkBroken violated(Throwable e) {
        return link.violated(e);
    }

    /// As [Joinable#follows].
    boolean follows() {
        var mine = broadcast;
        try {
            if (!joined || mine == null || mine.readers().follows(index, mine.ring())) {
                requireThere(); // it may have been found out just now
                return true;
            }
        } catch (IllegalStateException | InternalError e) {
            throw link.violated(e);
        }
        tally.add(Tally.What.REFUSED, 1);
        if ((++refused & (LOOK_EVERY - 1)) == 0) {
            sink.lookAwake();
        }
        return false;
    }

    /// The writer sleeps until the reader follows.
    boolean sleep() {
        var mine = shared();
        if (mine.readers().mustWake(index)) {
            ring();
        }
        return !mine.moves() && mine.readers().sleep(index, mine.ring());
    }

    void awake() {
        var mine = broadcast;
        if (mine != null) {
            mine.readers().awake(index);
        }
    }
}
