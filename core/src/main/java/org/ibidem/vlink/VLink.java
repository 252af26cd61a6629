package org.ibidem.vlink;

import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.ibidem.channel.InChannel;
import org.ibidem.channel.OutChannel;
import org.ibidem.task.Tasks;
import org.ibidem.topology.NodeId;
import org.ibidem.vlink.VLinkFailed.Kind;
import org.ibidem.wait.DirectWait;
import org.jspecify.annotations.Nullable;

/// One end of a stream of bytes to another node, in both directions, which are independent of each
/// other.
///
/// Reading and writing never wait: [#read] and [#write] do what can be done now, and
/// [#whenReadable] and [#whenWritable] tell when it is worth to ask again; [#postRead] and
/// [#postWrite] are both in one. What is not read stays in the link until there is no room in it:
/// then nothing more is taken from the writer. Any thread may call anything.
public final class VLink implements AutoCloseable {
    private static final Duration LINGER = Duration.ofSeconds(30);

    private final VLinks owner;
    private final Tasks tasks;
    private final Inflow in;
    private final Outflow out;
    private final About about;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final AtomicBoolean forgotten = new AtomicBoolean();

    /// What is known of it.
    ///
    /// @param name of the listener it was made to
    /// @param note what who connected said of himself
    /// @param stack what it goes over
    record About(String name, String note, String stack) {}

    VLink(VLinks owner, InChannel in, OutChannel out, About about) {
        this.owner = owner;
        this.tasks = owner.tasks();
        this.about = about;
        this.in = new Inflow(owner.loop(), in);
        this.out = new Outflow(owner.loop(), out, () -> owner.over(this));
    }

    void open() {
        in.whenReset(this::resetByPeer);
        out.outChannel().whenClosed(this::closedByPeer);
        owner.loop().add(in);
        owner.loop().add(out);
    }

    /// Who is at the other end.
    public NodeId peer() {
        return out.outChannel().peer();
    }

    /// The name of the listener it was made to.
    public String name() {
        return about.name;
    }

    /// What the end that connected has said of itself.
    public String note() {
        return about.note;
    }

    /// What it goes over: the stack, and the course its bytes take from here.
    public String way() {
        return about.stack + out.outChannel().course();
    }

    /// Reads what is there, moving the position.
    ///
    /// @return bytes; 0: nothing now; -1: the other end has ended its direction, or this one is
    ///   closed for reading
    /// @throws VLinkFailed when nothing more can come, though the other end has not said so
    public int read(ByteBuffer into) {
        int done = in.read(into);
        if (done < 0) {
            forgetIfOver();
        }
        return done;
    }

    /// Writes what finds room, moving the position.
    ///
    /// @return bytes; 0: there is no room now
    /// @throws VLinkFailed when nothing can be written any more
    public int write(ByteBuffer from) {
        return (int) write(new ByteBuffer[] {from}, 0, 1);
    }

    /// The same of so many buffers from there, one after the other, which is handed on at once.
    public long write(ByteBuffer[] from, int offset, int count) {
        var reset = in.wasReset(); // the other direction hears of it a little later
        if (reset != null) {
            throw reset.again();
        }
        return out.write(from, offset, offset + count);
    }

    /// Has `watcher` called once when it is worth to read again; the node's loop calls it, for
    /// which it must not wait. The same one is called once however often it was given.
    public void whenReadable(Runnable watcher) {
        in.watch(watcher);
    }

    /// Sleeps until it is worth to read again, or for so long, in the thread that calls: a change
    /// of threads less than to be told by the loop. For one thread at a time, which reads.
    ///
    /// @return false: not on this network, or too many do; [#whenReadable] tells
    public boolean sleepsReadable(long nanos) {
        return in.sleep(nanos);
    }

    /// To be told in a selector of one's own when it is worth to read again: a change of threads
    /// less than to be told by the loop, as with [#sleepsReadable].
    ///
    /// @param wakeup ends a selection, or the next one; must not wait
    /// @return null: not on this network; [#whenReadable] tells
    public @Nullable DirectWait waitsReadable(Selector selector, Runnable wakeup) {
        return in.traits().stays() ? new DirectWait(in, selector, wakeup) : null;
    }

    /// Whether somebody reads again and again, without being told when: then nothing is woken for
    /// what comes, unless [#whenReadable] was called since.
    public void polled(boolean yes) {
        in.polled(yes);
    }

    /// The same for writing.
    public void whenWritable(Runnable watcher) {
        out.watch(watcher);
    }

    /// It is not called any more, neither for reading nor for writing.
    public void unwatch(Runnable watcher) {
        in.unwatch(watcher);
        out.unwatch(watcher);
    }

    /// Whether [#read] would answer other than 0 now, or fail.
    public boolean isReadable() {
        return in.readable();
    }

    /// Whether [#write] would take something now, or fail.
    public boolean isWritable() {
        return out.writable();
    }

    /// Bytes that can be read at once; there may be more.
    public int available() {
        return in.available();
    }

    /// Posts a read of one byte at least into `into`, which is not to be touched before it has
    /// completed with the number of bytes, or -1. One at a time.
    public Posted<Integer> postRead(ByteBuffer into) {
        var posted = new Posted<Integer>();
        tryRead(posted, into);
        return posted;
    }

    private void tryRead(Posted<Integer> posted, ByteBuffer into) {
        if (!posted.attempt(() -> moved(read(into), into))) {
            Runnable again = () -> tryRead(posted, into);
            posted.whenCancelled(() -> in.unwatch(again));
            in.watch(again);
        }
    }

    /// Posts a write of one byte at least of `from`; else as [#postRead].
    public Posted<Integer> postWrite(ByteBuffer from) {
        var posted = new Posted<Integer>();
        tryWrite(posted, from);
        return posted;
    }

    private void tryWrite(Posted<Integer> posted, ByteBuffer from) {
        if (!posted.attempt(() -> moved(write(from), from))) {
            Runnable again = () -> tryWrite(posted, from);
            posted.whenCancelled(() -> out.unwatch(again));
            out.watch(again);
        }
    }

    private static @Nullable Integer moved(int bytes, ByteBuffer buffer) {
        return bytes == 0 && buffer.hasRemaining() ? null : Integer.valueOf(bytes);
    }

    /// Ends this end's direction: the other end reads what was written, then -1.
    public void endOutput() {
        out.end();
    }

    /// Reads no more: what comes is dropped, and the other end cannot write any more.
    public void endInput() {
        in.close(Words.CLOSED, null);
        forgetIfOver();
    }

    /// Closes it in order: what was written arrives, if the other end takes it within half a
    /// minute. Does not wait.
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            in.close(Words.CLOSED, new VLinkFailed(Kind.CLOSED, "it was closed at this end"));
            out.end();
            out.linger(tasks, LINGER);
            owner.lingers(this);
            forget();
        }
    }

    /// Closes it urgently: what was written may be lost, and both directions end at the other end
    /// with this reason.
    public void abort(String why) {
        if (closed.compareAndSet(false, true)) {
            in.close(
                    Words.RESET + why,
                    new VLinkFailed(Kind.CLOSED, "it was closed at this end: " + why));
            out.abandon(why);
            out.linger(tasks, LINGER);
            owner.lingers(this);
            forget();
        }
    }

    /// Whether it was closed at this end.
    public boolean isClosed() {
        return closed.get();
    }

    /// By whoever is told that the other end reads no more, or that the link is gone.
    private void closedByPeer() {
        var why = out.outChannel().closedBecause();
        if (why != null && out.outChannel().closedInOrder() && why.startsWith(Words.RESET)) {
            resetByPeer(Words.failure(why));
        }
        out.look();
        in.look();
    }

    private void resetByPeer(VLinkFailed why) {
        in.close(Words.CLOSED, why);
        out.failed(why);
        forget();
    }

    /// Who connected gave up before he used it.
    void cancelled() {
        in.cancelled();
        abort("the connecting end gave up");
    }

    private void forgetIfOver() {
        if (in.isOver() && out.isOver()) {
            forget();
        }
    }

    private void forget() {
        if (forgotten.compareAndSet(false, true)) {
            owner.forget(this);
        }
    }

    /// Whether anybody is to be told.
    boolean isWatched() {
        return in.isWatched() || out.isWatched();
    }

    /// Whether nothing of what was written is still here.
    boolean isSaid() {
        return out.isOver();
    }

    /// Whether both directions are over for the link below.
    boolean isOver() {
        return in.isOver() && out.isOver();
    }

    @Override
    public String toString() {
        return "VLink '" + about.name + "' with node " + peer().brief() + " over " + way();
    }
}
