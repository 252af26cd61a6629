package org.ibidem.vlink;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.ibidem.task.Tasks;
import org.ibidem.vlink.VLinkFailed.Kind;
import org.jspecify.annotations.Nullable;

/// The files of one node. A few threads do what is posted: no selector says when a file can be read
/// without waiting for its disk, so somebody has to wait there. The node's loop tells what has
/// become of it, as for VLinks.
final class Files implements AutoCloseable {
    /// A disk is kept busy by a few.
    static final int THREADS = 4;

    /// Operations that wait for a thread. Their buffers are the program's; here is only who waits.
    static final int MOST = 256;

    /// How long a thread waits for the next operation before it ends.
    private static final Duration IDLE = Duration.ofSeconds(10);

    private final Tasks tasks;
    private final ReceiptLoop loop;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private final Set<PostedFile> open = ConcurrentHashMap.newKeySet();
    private int threads;
    private int idle;
    private volatile boolean closed;

    Files(Tasks tasks, ReceiptLoop loop) {
        this.tasks = tasks;
        this.loop = loop;
    }

    Posted<PostedFile> open(Path path, Set<OpenOption> options) {
        if (options.contains(StandardOpenOption.APPEND)) {
            throw new IllegalArgumentException(
                    "APPEND: each operation on a file says where; leave it out");
        }
        var posted = new Posted<PostedFile>();
        add(
                posted,
                () -> {
                    if (posted.begin()) {
                        try {
                            opened(
                                    posted,
                                    new PostedFile(this, path, FileChannel.open(path, options)));
                        } catch (IOException | RuntimeException | Error e) {
                            var why = PostedFile.failure("opening " + path, e);
                            loop.call(() -> posted.fail(why));
                        }
                    }
                });
        return posted;
    }

    private void opened(Posted<PostedFile> posted, PostedFile file) {
        open.add(file);
        if (closed) {
            file.close();
        }
        loop.call(() -> posted.complete(file));
    }

    /// Has `work` done by one of the threads, which completes `posted` unless that fails at once.
    void add(Posted<?> posted, Runnable work) {
        boolean taken;
        boolean begins;
        synchronized (this) {
            taken = waiting.size() < MOST;
            if (taken) {
                waiting.add(work);
                notifyAll();
            }
            begins = taken && waiting.size() > idle && threads < THREADS;
            threads += begins ? 1 : 0;
        }
        if (begins) {
            begin(posted);
        } else if (!taken) {
            posted.fail(
                    new VLinkFailed(
                            Kind.BUSY,
                            MOST
                                    + " operations on files of this node wait, which is the most: let some complete first"));
        }
    }

    private void begin(Posted<?> posted) {
        try {
            tasks.block("files", this::work);
        } catch (IllegalStateException e) {
            synchronized (this) {
                threads--;
            }
            posted.fail(new VLinkFailed(Kind.CLOSED, "the node was closed", e));
        }
    }

    private void work() {
        boolean inOrder = false;
        try {
            for (var next = next(); next != null; next = next()) {
                next.run();
            }
            inOrder = true;
        } finally {
            if (!inOrder) {
                synchronized (this) {
                    threads--;
                }
            }
        }
    }

    /// What is to be done next; null: nothing for a while.
    private synchronized @Nullable Runnable next() {
        long end = tasks.deadline(IDLE);
        idle++;
        try {
            while (waiting.isEmpty() && !closed && end - tasks.nanoTime() > 0) {
                wait(IDLE.toMillis());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // it ends as soon as nothing is to be done
        } finally {
            idle--;
        }
        var next = waiting.poll();
        threads -= next == null ? 1 : 0;
        return next;
    }

    /// Operations that no thread has taken yet.
    synchronized int waiting() {
        return waiting.size();
    }

    /// Completes what was posted, in the node's loop.
    void tell(Runnable what) {
        loop.call(what);
    }

    void forget(PostedFile file) {
        open.remove(file);
    }

    @Override
    public void close() {
        closed = true;
        List.copyOf(open).forEach(PostedFile::close);
        synchronized (this) {
            notifyAll();
        }
    }
}
