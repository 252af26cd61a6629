package org.ibidem.hub;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.Set;
import org.ibidem.config.OwnFolder;
import org.ibidem.trust.NotTrusted;
import org.ibidem.trust.Pem;
import org.ibidem.trust.RevokedList;
import org.ibidem.trust.Trust;
import org.jspecify.annotations.Nullable;

/// The lists of revoked certificates that a hub knows, in the folder of its state: started again it
/// knows them, and takes no older ones. One file for each pool, `revoked-HEX.pem`, of the pool's
/// name.
final class KeptLists {
    private static final Logger LOG = System.getLogger(KeptLists.class.getName());

    private final @Nullable Path folder;

    /// @param folder null: nothing is kept
    KeptLists(@Nullable Path folder) {
        this.folder = folder;
    }

    private static Path file(Path folder, String pool) {
        var hex = HexFormat.of().formatHex(pool.getBytes(StandardCharsets.UTF_8));
        return folder.resolve("revoked-" + hex + ".pem");
    }

    /// Has what was kept count again.
    ///
    /// @throws CannotKeepState when it cannot be read: without it somebody might get in
    void restore(Trust trust) {
        var where = folder;
        if (where == null) {
            return;
        }
        for (var pool : trust.pools()) {
            var file = file(where, pool);
            if (Files.exists(file)) {
                try {
                    trust.restore(RevokedList.read(file));
                } catch (NotTrusted e) {
                    throw new CannotKeepState(
                            file
                                    + " is not what this hub has kept: "
                                    + e.getMessage()
                                    + ". Move it away, and give the hub the latest list",
                            e);
                }
            }
        }
    }

    /// Keeps what is known now.
    void keep(Trust trust) {
        var where = folder;
        if (where == null) {
            return;
        }
        for (var pool : trust.pools()) {
            var list = trust.revokedList(pool);
            if (list.isPresent()) {
                keep(file(where, pool), list.get());
            }
        }
    }

    private static void keep(Path file, RevokedList list) {
        var fresh = file.resolveSibling(file.getFileName() + ".new");
        var options =
                Set.of(
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE);
        var text = Pem.section(RevokedList.LABEL, list.bytes());
        try {
            try (var out =
                    FileChannel.open(fresh, options, OwnFolder.mode(fresh, OwnFolder.FILE))) {
                var bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
                while (bytes.hasRemaining()) {
                    out.write(bytes);
                }
                out.force(true);
            }
            Files.move(
                    fresh,
                    file,
                    StandardCopyOption.REPLACE_EXISTING,
                    StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            LOG.log(
                    Level.WARNING,
                    "{0} cannot be written, a hub that is started again will not know it: {1}",
                    file,
                    e.toString());
        }
    }
}
