package org.ibidem.vlink;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.ibidem.vlink.VLinkFailed.Kind;
import org.jspecify.annotations.Nullable;

/// A file whose operations are posted and complete later, like those of a [VLink]: that is looked
/// for, or tells handlers, which the node's one loop calls. Any number may be outstanding, in no
/// order, as each says where in the file; 256 of a node may wait, and what is posted beyond them
/// fails ([Kind#BUSY]).
///
/// ```java
/// var opening = vlinks.open(Path.of("field.dat"));
/// opening.whenDone(file -> file.result().postRead(buffer, 0).whenDone(read -> …));
/// ```
public final class PostedFile implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(PostedFile.class.getName());

    /// Bytes of one operation at most: so much memory outside the heap a thread may need for it.
    static final int LARGEST = 1 << 20;

    private final Files owner;
    private final Path path;
    private final FileChannel channel;
    private final Set<Posted<?>> outstanding = ConcurrentHashMap.newKeySet();

    /// Operations that are being done.
    private int running;

    private boolean closed;

    PostedFile(Files owner, Path path, FileChannel channel) {
        this.owner = owner;
        this.path = path;
        this.channel = channel;
    }

    /// What is done to it.
    @FunctionalInterface
    private interface Doing<T> {
        T now() throws IOException;
    }

    /// The file.
    public Path path() {
        return path;
    }

    /// Posts a read of one byte at least, and a mebibyte at most, into `into`, which is not to be
    /// touched before it has completed with the number of bytes, or -1 at the end of the file.
    ///
    /// @param at where in the file, in bytes from its beginning
    /// @throws IllegalArgumentException when nothing can be written to `into`, or `at` is negative
    public Posted<Integer> postRead(ByteBuffer into, long at) {
        if (into.isReadOnly()) {
            throw new IllegalArgumentException("nothing can be read into a read-only buffer");
        }
        return post(checked("reading", at), () -> limited(into, () -> channel.read(into, at)));
    }

    /// Posts a write of one byte at least, and a mebibyte at most, of `from`; else as [#postRead].
    /// Behind the end of the file it becomes longer.
    public Posted<Integer> postWrite(ByteBuffer from, long at) {
        return post(checked("writing", at), () -> limited(from, () -> channel.write(from, at)));
    }

    /// Posts that what was written before is on the disk; completes with this file.
    public Posted<PostedFile> postSync() {
        return post(
                "writing " + path + " to its disk",
                () -> {
                    channel.force(true);
                    return this;
                });
    }

    private String checked(String doing, long at) {
        if (at < 0) {
            throw new IllegalArgumentException(doing + " " + path + " at " + at + ": before it");
        }
        return doing + " " + path + " at " + at;
    }

    private static int limited(ByteBuffer buffer, Doing<Integer> doing) throws IOException {
        int limit = buffer.limit();
        buffer.limit(Math.min(limit, buffer.position() + LARGEST));
        try {
            return doing.now();
        } finally {
            buffer.limit(limit);
        }
    }

    private <T> Posted<T> post(String words, Doing<T> doing) {
        var posted = new Posted<T>();
        outstanding.add(posted);
        posted.whenDone(outstanding::remove);
        if (isClosed()) {
            posted.fail(closedHere());
        } else {
            owner.add(posted, () -> perform(posted, words, doing));
        }
        return posted;
    }

    private void perform(Posted<?> posted, Runnable work) {
        synchronized (this) {
            if (closed || !posted.begin()) {
                return; // who closed or cancelled it has said so
            }
            running++;
        }
        try {
            work.run();
        } finally {
            end();
        }
    }

    private <T> void perform(Posted<T> posted, String words, Doing<T> doing) {
        perform(
                posted,
                () -> {
                    try {
                        var done = doing.now();
                        owner.tell(() -> posted.complete(done));
                    } catch (IOException | RuntimeException | Error e) {
                        var why = failure(words, e);
                        owner.tell(() -> posted.fail(why));
                    }
                });
    }

    private void end() {
        boolean last;
        synchronized (this) {
            running--;
            last = closed && running == 0;
        }
        if (last) {
            closeChannel();
        }
    }

    /// Why the system, or the channel, did not do it.
    static VLinkFailed failure(String words, Throwable e) {
        if (e instanceof ClosedChannelException) {
            return closedHere();
        }
        return new VLinkFailed(Kind.FILE, words + ": " + inWords(e), e);
    }

    private static @Nullable String inWords(Throwable e) {
        return switch (e) {
            case NoSuchFileException _ -> "there is no such file";
            case AccessDeniedException _ -> "this process may not do that";
            case FileAlreadyExistsException _ -> "there is one already";
            case NonReadableChannelException _ -> "it was not opened to be read";
            case NonWritableChannelException _ -> "it was not opened to be written";
            default -> e.getMessage() == null ? e.toString() : e.getMessage();
        };
    }

    private static VLinkFailed closedHere() {
        return new VLinkFailed(Kind.CLOSED, "the file was closed at this end");
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    /// Closes it, without waiting: what waits fails ([Kind#CLOSED]); what is being done completes
    /// first.
    @Override
    public void close() {
        boolean now;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            now = running == 0;
        }
        owner.forget(this);
        List.copyOf(outstanding).forEach(posted -> posted.failUnlessBegun(closedHere()));
        if (now) {
            closeChannel();
        }
    }

    private void closeChannel() {
        try {
            channel.close();
        } catch (IOException e) { // nobody waits for it any more
            LOG.log(System.Logger.Level.WARNING, "closing " + path + " failed", e);
        }
    }

    @Override
    public String toString() {
        return "file " + path;
    }
}
