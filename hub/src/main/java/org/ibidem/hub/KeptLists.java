package org.ibidem.hub;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import org.ibidem.config.OwnFolder;
import org.ibidem.config.WholeFile;
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
            if (file.toFile().exists()) {
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
        var text = Pem.section(RevokedList.LABEL, list.bytes());
        try {
            WholeFile.write(
                    file,
                    text.getBytes(StandardCharsets.US_ASCII),
                    OwnFolder.mode(file, OwnFolder.FILE));
        } catch (IOException e) {
            LOG.log(
                    Level.WARNING,
                    "{0} cannot be written; the hub will not know it after a restart: {1}",
                    file,
                    e.toString());
        }
    }
}
