package org.ibidem.hub.journal;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.ibidem.config.OwnFolder;

/// The folder of a journal, locked.
final class Folder implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Folder.class.getName());
    private static final Pattern FILE = Pattern.compile("journal-([0-9]{1,18})");
    private static final Pattern UNFINISHED = Pattern.compile("journal-[0-9]{1,18}\\.new");
    private static final int LONGEST_PID = 32;
    private static final Set<OpenOption> CREATED =
            Set.of(
                    StandardOpenOption.CREATE,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE,
                    LinkOption.NOFOLLOW_LINKS);

    /// The folders that hubs of this process use: a lock is the process's, and opening the lock
    /// file a second time only to close it again would give it up.
    private static final Set<Path> OURS = ConcurrentHashMap.newKeySet();

    private final Path path;
    private final Path real;
    private final FileChannel lock;

    private Folder(Path path, Path real, FileChannel lock) {
        this.path = path;
        this.real = real;
        this.lock = lock;
    }

    static Folder lock(Path path) {
        try {
            make(path);
            var real = path.toRealPath();
            if (!OURS.add(real)) {
                throw new BadState(used(path, "this very process"));
            }
            try {
                return new Folder(path, real, locked(path));
            } catch (IOException | RuntimeException e) {
                OURS.remove(real);
                throw e;
            }
        } catch (IOException e) {
            throw new BadState("the state cannot be kept in " + path + ": " + e, e);
        }
    }

    private static void make(Path path) throws IOException {
        if (Files.exists(path) && !Files.isDirectory(path)) {
            throw new BadState("the state cannot be kept in " + path + ": it is no folder");
        }
        if (Files.isDirectory(path)) {
            OwnFolder.checkWritten(path);
            return;
        }
        var parent = path.toAbsolutePath().getParent();
        if (parent == null || !Files.isDirectory(parent)) {
            throw new BadState(
                    "the state cannot be kept in "
                            + path
                            + ": there is no folder "
                            + parent
                            + " to make it in; make that first, or name another");
        }
        Files.createDirectory(path, OwnFolder.mode(path, "rwx------"));
        LOG.log(Level.INFO, "made the folder {0} for the state of a hub", path);
    }

    /// Opens a file in it, which is made for this user alone if it is not there.
    static FileChannel open(Path file) throws IOException {
        return FileChannel.open(file, CREATED, OwnFolder.mode(file, OwnFolder.FILE));
    }

    private static FileChannel locked(Path path) throws IOException {
        var file = open(path.resolve("lock"));
        try {
            if (file.tryLock() != null) {
                sign(file);
                return file;
            }
            var pid = ByteBuffer.allocate(LONGEST_PID);
            file.read(pid, 0);
            var whose = new String(pid.array(), 0, pid.position(), StandardCharsets.US_ASCII);
            throw new BadState(used(path, "process " + whose));
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    // Only for the message to the next one; a full disk has no room for it.
    private static void sign(FileChannel file) {
        var pid = String.valueOf(ProcessHandle.current().pid());
        try {
            file.truncate(0);
            file.write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.US_ASCII)), 0);
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "the lock does not say whose it is: {0}", e.toString());
        }
    }

    private static String used(Path path, String whose) {
        return "the state in "
                + path
                + " is used by another hub, of "
                + whose
                + ": end that one, or name another folder";
    }

    /// The number of the newest journal; 0: there is none.
    long newest() throws IOException {
        long newest = 0;
        for (var file : files()) {
            var name = FILE.matcher(file.getFileName().toString());
            newest = name.matches() ? Math.max(newest, Long.parseLong(name.group(1))) : newest;
        }
        return newest;
    }

    Path file(long number) {
        return path.resolve("journal-" + number);
    }

    /// The name of a journal until it is whole.
    Path unfinished(long number) {
        return path.resolve("journal-" + number + ".new");
    }

    /// Deletes the other journals; a file that stays is deleted the next time.
    void deleteAllBut(long number) {
        try {
            for (var file : files()) {
                var name = file.getFileName().toString();
                if (UNFINISHED.matcher(name).matches()
                        || (FILE.matcher(name).matches() && !file.equals(file(number)))) {
                    Files.delete(file);
                }
            }
        } catch (IOException e) {
            LOG.log(Level.WARNING, "old journals in " + path + " could not be deleted", e);
        }
    }

    /// Forces the names of its files to the disk.
    void force() throws IOException {
        try (var channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException e) {
            if (Files.isDirectory(path)) {
                // Some systems do not open folders; there the name follows on its own.
                LOG.log(Level.DEBUG, "{0} cannot be forced: {1}", path, e.toString());
                return;
            }
            throw e;
        }
    }

    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException e) {
            LOG.log(Level.WARNING, "the lock of " + path + " could not be closed", e);
        } finally {
            OURS.remove(real);
        }
    }

    @Override
    public String toString() {
        return path.toString();
    }

    private List<Path> files() throws IOException {
        var files = new ArrayList<Path>();
        try (var found = Files.newDirectoryStream(path)) {
            found.forEach(files::add);
        }
        return files;
    }
}
