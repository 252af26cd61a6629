package org.ibidem.hub.journal;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a hub has to remember, in a folder: a file that begins with an image of its state, to which
/// the commands since are appended. What [#append] or [#begin] has returned from is on the disk.
///
/// One thread at a time. The folder is locked, so that no second hub writes into it; the lock ends
/// with the process, however that ends.
public final class Journal implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Journal.class.getName());

    private final Folder folder;
    private final Opener opener;
    private @Nullable FileChannel channel; // none before the first image
    private long generation;
    private long units;
    private long end;
    private long image;
    private boolean broken;

    /// Opens the file of a journal to be written; tests bring disks that fail.
    @FunctionalInterface
    public interface Opener {
        /// The disk that there is.
        Opener DISK = Folder::open;

        /// Reading and writing; created if it is not there.
        FileChannel open(Path path) throws IOException;
    }

    /// A journal and what it held when it was opened.
    ///
    /// @param journal to go on with; it must be begun anew first
    /// @param image the state at some time, or empty: there was none yet
    /// @param commands those since, in order
    /// @param torn bytes at the end that were being written when the hub ended, and are left out
    public record Opened(Journal journal, byte[] image, List<byte[]> commands, long torn) {}

    private Journal(Folder folder, Opener opener, @Nullable FileChannel channel, long generation) {
        this.folder = folder;
        this.opener = opener;
        this.channel = channel;
        this.generation = generation;
    }

    /// Opens the journal in this folder, which is made if its parent is there.
    ///
    /// @throws BadState when there is no such folder and it cannot be made, another hub uses it, or
    ///   what is in it is damaged or cannot be read
    public static Opened open(Path path) {
        return open(path, Opener.DISK);
    }

    /// As [#open(Path)], on another disk.
    public static Opened open(Path path, Opener opener) {
        var folder = Folder.lock(path);
        try {
            return read(folder, opener);
        } catch (IOException e) {
            folder.close();
            throw new BadState("the state in " + path + " cannot be read: " + e, e);
        } catch (RuntimeException e) {
            folder.close();
            throw e;
        }
    }

    private static Opened read(Folder folder, Opener opener) throws IOException {
        long newest = folder.newest();
        if (newest == 0) {
            var journal = new Journal(folder, opener, null, 0);
            return new Opened(journal, new byte[0], List.of(), 0);
        }
        var file = folder.file(newest);
        var channel = opener.open(file);
        try {
            var contents = JournalFile.read(file, channel, newest);
            var journal = new Journal(folder, opener, channel, newest);
            return new Opened(journal, contents.image(), contents.commands(), contents.torn());
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /// Begins a new file with this image; the ones before are deleted. When it fails, the journal
    /// is as it was.
    ///
    /// @throws IOException when there is no room, or the disk fails
    public void begin(byte[] state) throws IOException {
        long next = generation + 1;
        var fresh = folder.unfinished(next);
        Files.deleteIfExists(fresh);
        var made = opener.open(fresh);
        long bytes;
        try {
            var beginning = JournalFile.beginning(next, state);
            bytes = beginning.remaining();
            write(made, beginning, 0);
            made.force(true);
            Files.move(fresh, folder.file(next), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException | RuntimeException e) {
            made.close();
            Files.deleteIfExists(fresh);
            throw e;
        }
        turnTo(made, next, bytes);
    }

    // From here on the new file counts, whatever happens.
    private void turnTo(FileChannel made, long next, long bytes) throws IOException {
        var old = channel;
        channel = made;
        generation = next;
        units = 1;
        image = bytes;
        end = bytes;
        try {
            folder.force();
        } catch (IOException e) {
            broken = true;
            throw e;
        }
        if (old != null) {
            old.close();
        }
        folder.deleteAllBut(next);
    }

    /// Appends these commands, as one unit, and forces it to the disk.
    ///
    /// @throws NoRoom when nothing was written; it may be tried again
    /// @throws IOException when the disk failed and nobody knows what is on it: the hub must be
    ///   started again
    public void append(List<byte[]> commands) throws IOException {
        var into = channel;
        if (broken || into == null) {
            throw new IOException(
                    "the journal in " + folder + (broken ? " failed before" : " is not begun"));
        }
        var unit = Unit.encode(generation, units, commands);
        long bytes = unit.remaining();
        try {
            write(into, unit, end);
        } catch (IOException e) {
            takeBack(into, e);
            throw new NoRoom("nothing can be written into " + folder + ": " + e.getMessage(), e);
        }
        try {
            into.force(false);
        } catch (IOException e) {
            // What the kernel did with the pages it could not write is anybody's guess.
            broken = true;
            throw e;
        }
        end += bytes;
        units++;
    }

    /// Bytes appended since the image.
    public long grown() {
        return end - image;
    }

    /// Bytes of the image.
    public long image() {
        return image;
    }

    @Override
    public void close() {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            LOG.log(Level.WARNING, "the journal in " + folder + " could not be closed", e);
        }
        folder.close();
    }

    private void takeBack(FileChannel from, IOException why) throws IOException {
        try {
            from.truncate(end);
        } catch (IOException e) {
            broken = true;
            e.addSuppressed(why);
            throw e;
        }
    }

    private static void write(FileChannel into, ByteBuffer bytes, long at) throws IOException {
        for (long to = at; bytes.hasRemaining(); ) {
            to += into.write(bytes, to);
        }
    }
}
