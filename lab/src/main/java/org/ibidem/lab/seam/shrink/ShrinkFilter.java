package org.ibidem.lab.seam.shrink;

import org.ibidem.buffer.Frame;
import org.ibidem.link.FilteredLink;
import org.ibidem.link.FrameFilter;
import org.ibidem.link.FrameLink;
import org.ibidem.link.FrameSink;
import org.ibidem.link.Lower;
import org.ibidem.wait.Waitable;
import org.ibidem.wait.WaitableOver;

/// The filter `shrink`: the largest frame becomes smaller while the link is in use, as the way of
/// datagrams does. Room that was granted stays; what is asked for then is refused above the new
/// size.
public final class ShrinkFilter implements FrameFilter {
    /// The options.
    ///
    /// @param to bytes of payload that every frame may have
    /// @param frames after so many the largest is half of what it was
    public record Shrink(int to, int frames) {
        private static final int LEAST = 128;

        /// The defaults: down to 200 bytes, by half with every third frame.
        public Shrink() {
            this(200, 3);
        }

        /// Checks the sizes.
        public Shrink {
            if (to < LEAST || frames < 1) {
                throw new IllegalArgumentException(
                        "to is at least 128 bytes and frames at least 1, not "
                                + to
                                + " and "
                                + frames);
            }
        }
    }

    /// Found by its line in `META-INF/services`.
    public ShrinkFilter() {}

    @Override
    public String name() {
        return "shrink";
    }

    @Override
    public Class<Shrink> options() {
        return Shrink.class;
    }

    @Override
    public int header(Record options) {
        return 0;
    }

    @Override
    public FrameLink over(FrameLink below, int headerOffset, Record options, Lower lower) {
        return new FilteredLink(
                new ShrinkingSink(below.sink(), (Shrink) options), below.source(), below);
    }

    private static final class ShrinkingSink implements FrameSink, WaitableOver {
        private final FrameSink lower;
        private final Waitable below;
        private final Shrink options;
        private int size = Integer.MAX_VALUE;
        private int frames;

        ShrinkingSink(FrameSink lower, Shrink options) {
            this.lower = lower;
            this.below = Waitable.of(lower);
            this.options = options;
        }

        @Override
        public boolean claim(Frame room, int atLeast) {
            if (atLeast > largest()) {
                throw new IllegalArgumentException(
                        "a claim of " + atLeast + " bytes; frames have at most " + largest());
            }
            if (!lower.claim(room, atLeast)) {
                return false;
            }
            cap(room);
            return true;
        }

        @Override
        public boolean commit(Frame room, int flags) {
            if (room.position > room.limit) {
                throw new IllegalStateException("a frame larger than the room that was granted");
            }
            boolean sent = lower.commit(room, flags);
            if (++frames % options.frames() == 0) {
                size = Math.max(options.to(), largest() / 2);
            }
            cap(room);
            return sent;
        }

        private void cap(Frame room) {
            room.limit = Math.min(room.limit, room.position + largest());
        }

        @Override
        public boolean push() {
            return lower.push();
        }

        @Override
        public int largest() {
            return Math.min(size, lower.largest());
        }

        @Override
        public Waitable below() {
            return below;
        }
    }
}
