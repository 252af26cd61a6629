package org.ibidem.cli;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.ibidem.config.OwnFolder;

/// Where the agent of one `ibidem wrap` is found, and the hosts file of its program lies: a folder
/// of this user alone. A file in it is locked as long as this process lives. So whoever comes next
/// knows what was left by one that was killed, and removes it; a number of a process would say
/// less, as it may be another's by now, or one of another container.
final class WrapFolder implements AutoCloseable {
    private static final String FOLDERS = "ibidem-wrap-";
    private static final String SOCKET = "agent";
    private static final String LOCK = "lock";
    private static final int TRIES = 100;

    private final Path folder;
    private final FileChannel lock;

    private WrapFolder(Path folder, FileChannel lock) {
        this.folder = folder;
        this.lock = lock;
    }

    /// Makes one.
    static WrapFolder make() throws IOException {
        var folder = Files.createTempDirectory(FOLDERS);
        var name = folder.resolve(LOCK);
        var unlocked = folder.resolve("." + LOCK);
        var lock =
                FileChannel.open(unlocked, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try {
            if (lock.tryLock() != null) {
                Files.move(unlocked, name, StandardCopyOption.ATOMIC_MOVE); // found locked, or not
            }
        } catch (IOException _) {
            // where files cannot be locked, nobody tells later that this one is left over
        }
        removeLeft(folder);
        return new WrapFolder(folder, lock);
    }

    Path socket() {
        return folder.resolve(SOCKET);
    }

    /// Removes what others have left who were killed.
    private static void removeLeft(Path own) {
        var all = own.getParent();
        if (all == null) {
            return;
        }
        try (var folders = Files.newDirectoryStream(all, FOLDERS + "*")) {
            for (var each : folders) {
                if (!each.equals(own) && isLeft(each)) {
                    remove(each);
                }
            }
        } catch (IOException _) {
            // the next one may look
        }
    }

    private static boolean isLeft(Path folder) {
        try {
            OwnFolder.check(folder); // a link, or another's, is none of ours
            try (var other = FileChannel.open(folder.resolve(LOCK), StandardOpenOption.WRITE);
                    var held = other.tryLock()) {
                return held != null;
            }
        } catch (IOException | OverlappingFileLockException _) {
            return false;
        }
    }

    /// Removes the folder; several may do so at once, and another may be putting files there.
    private static void remove(Path folder) {
        for (int i = 0; i < TRIES && Files.exists(folder); i++) {
            try {
                var socket = folder.resolve(SOCKET);
                Files.deleteIfExists(socket);
                Files.deleteIfExists(AgentCommand.hosts(socket));
                Files.deleteIfExists(folder.resolve("." + LOCK));
                Files.deleteIfExists(folder.resolve(LOCK));
                Files.deleteIfExists(folder);
            } catch (IOException _) {
                // something has come since, or it is left for who tidies folders of temporary files
            }
        }
    }

    @Override
    public void close() {
        remove(folder);
        try {
            lock.close();
        } catch (IOException _) {
            // nobody looks for it any more
        }
    }
}
