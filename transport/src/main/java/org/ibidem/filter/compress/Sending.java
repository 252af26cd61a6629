package org.ibidem.filter.compress;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import org.ibidem.link.ByteStream;
import org.ibidem.link.Line;
import org.ibidem.link.Lower;
import org.ibidem.task.Tasks;
import org.ibidem.wait.Armed;
import org.ibidem.wait.Doorbell;
import org.ibidem.wait.SleepTraits;
import org.ibidem.wait.Waitable;
import org.ibidem.wait.WaitableOver;
import org.jspecify.annotations.Nullable;

/// The sending side: bytes gather in blocks, which leave in order. A full one is compressed by a
/// task; what is flushed, by the writer, who waits for it anyway. One thread writes.
final class Sending implements WaitableOver {
    private static final String NAME = "compress";

    /// Blocks in hand: so much memory, at most, twice.
    private static final int MOST = 4;

    /// Fewer bytes than that are left alone: nobody would notice.
    private static final int LEAST = 512;

    private final ByteStream stream;
    private final Waitable writable;
    private final List<Choice> choices;
    private final Workshop workshop;
    private final Tasks tasks;
    private final Line line;
    private final Levels levels;
    private int decided;
    private final boolean decides;
    private final Probe probe = new Probe();

    /// In the order in which they leave, and those that are empty.
    private final ArrayDeque<Block> leaving = new ArrayDeque<>();

    private final ArrayDeque<Block> empty = new ArrayDeque<>();
    private int blocks;
    private @Nullable Block filling;

    private volatile @Nullable Doorbell bell;

    /// The writer sleeps until a task has made the first block.
    private volatile boolean waits;

    /// @param choices the fastest first; none: nothing is ever compressed
    /// @param decides else the last of them is used, always
    Sending(ByteStream stream, List<Choice> choices, boolean decides, Lower lower) {
        this.stream = stream;
        this.writable = Waitable.of(stream.writable());
        this.choices = choices;
        this.decides = decides;
        this.workshop = Workshop.SHARED;
        this.tasks = lower.tasks();
        this.line = lower.line();
        this.levels = new Levels(choices.stream().map(Choice::level).toList());
    }

    int write(ByteBuffer from) throws IOException {
        int before = from.remaining();
        handedOn();
        for (var block = room(); from.hasRemaining() && block != null; block = room()) {
            block.take(from);
            if (block.full()) {
                leave(block, false);
                handedOn();
            }
        }
        return before - from.remaining();
    }

    private @Nullable Block room() {
        var mine = filling;
        if (mine == null) {
            mine = empty.poll();
            if (mine == null && blocks < MOST) {
                mine = new Block(workshop);
                blocks++;
            }
            filling = mine;
        }
        return mine;
    }

    private void leave(Block block, boolean here) {
        filling = null;
        leaving.add(block);
        int level = level(block);
        if (level == 0) {
            block.plain();
            return;
        }
        var choice = choices.get(level - 1);
        if (here) {
            block.make(choice, level, tasks);
            return;
        }
        tasks.start(
                "compress",
                () -> {
                    try {
                        workshop.at(() -> block.make(choice, level, tasks));
                    } finally {
                        made();
                    }
                });
    }

    private void made() {
        var mine = bell;
        if (waits && mine != null) {
            mine.ring();
        }
    }

    private int level(Block block) {
        if (choices.isEmpty() || block.size() < LEAST) {
            return 0;
        }
        int level = decides ? decide() : choices.size();
        if (level > 0 && !probe.compressible(block.bytes())) {
            line.data(block.size(), block.size());
            return 0;
        }
        return level;
    }

    private int decide() {
        int level = levels.next();
        int usual = levels.current();
        if (usual != decided) {
            decided = usual;
            line.decided(
                    NAME, usual == 0 ? Compress.OFF : choices.get(usual - 1).name(), levels.why());
        }
        return level;
    }

    boolean flush() throws IOException {
        var mine = filling;
        if (mine != null && mine.size() > 0) {
            leave(mine, true);
        }
        return handedOn() && stream.flush();
    }

    /// Hands on what is ready, in order.
    ///
    /// @return false: BUSY, some is still here
    private boolean handedOn() throws IOException {
        for (var first = leaving.peek(); first != null; first = leaving.peek()) {
            if (!first.isReady()) {
                return false;
            }
            var view = first.view();
            while (view.hasRemaining()) {
                if (stream.write(view) == 0) {
                    first.held(tasks);
                    return false;
                }
            }
            leaving.remove();
            var sample = first.done(tasks);
            levels.seen(sample);
            if (sample.level() > 0) {
                line.data(sample.raw(), sample.wire());
            }
            empty.add(first);
        }
        return true;
    }

    /// Whether a task has to make the first block before anything can be handed on.
    private boolean inWork() {
        var first = leaving.peek();
        return first != null && !first.isReady();
    }

    @Override
    public Waitable below() {
        return writable;
    }

    /// A channel that can be written would not let anyone sleep until the block is made.
    @Override
    public int interest() {
        return inWork() ? 0 : writable.interest();
    }

    @Override
    public Armed arm() {
        if (!inWork()) {
            return writable.arm();
        }
        waits = true;
        return Armed.quiet(inWork());
    }

    @Override
    public void disarm() {
        waits = false;
        writable.disarm();
    }

    @Override
    public SleepTraits traits() {
        return SleepTraits.NONE.staysWith(writable.traits());
    }

    @Override
    public void bell(Doorbell bell) {
        this.bell = bell;
        writable.bell(bell);
    }
}
