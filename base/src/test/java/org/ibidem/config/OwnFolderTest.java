package org.ibidem.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.ibidem.OtherUser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnFolderTest {
    @TempDir Path shared;

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    private static void refused(Path folder, String why) {
        assertThatThrownBy(() -> OwnFolder.make(folder))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining(folder + ": must be a folder of this user alone, but " + why);
    }

    @Test
    void it_is_made_for_this_user_alone_and_taken_again() throws IOException {
        var folder = shared.resolve("a").resolve("b");
        OwnFolder.make(folder);
        assertThat(mode(folder)).isEqualTo("rwx------");
        assertThat(mode(folder.getParent())).isEqualTo("rwx------");
        OwnFolder.make(folder);
        OwnFolder.checkWritten(folder);
    }

    @Test
    void one_that_others_may_look_into_is_refused() throws IOException {
        var folder = Files.createDirectory(shared.resolve("open"));
        for (var mode : new String[] {"rwxrwxrwx", "rwxr-xr-x", "rwxrwx---"}) {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(mode));
            refused(folder, "its mode is " + mode + "; run: chmod 700 " + folder);
        }
        assertThatThrownBy(() -> OwnFolder.checkWritten(folder))
                .hasMessageContaining("others may write to it; run: chmod go-w " + folder);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        OwnFolder.checkWritten(folder);
    }

    @Test
    void a_link_and_a_file_are_refused() throws IOException {
        var folder = Files.createDirectory(shared.resolve("folder"));
        refused(Files.createSymbolicLink(shared.resolve("link"), folder), "it is a link");
        var nowhere = Files.createSymbolicLink(shared.resolve("dangling"), Path.of("nowhere"));
        refused(nowhere, "it is a link");
        refused(Files.createFile(shared.resolve("file")), "it is no folder");
    }

    @Test
    void another_users_is_refused() throws Exception {
        OtherUser.shared(shared);
        var mine =
                Files.createDirectory(shared.resolve("mine"), OwnFolder.mode(shared, "rwx------"));
        var folder = shared.resolve("taken");
        OtherUser.run("mkdir -m 700 " + folder + "; ln -s " + mine + " " + shared + "/link");
        refused(folder, "it belongs to ");
        assertThatThrownBy(() -> OwnFolder.checkWritten(folder)).hasMessageContaining("belongs to");
        assertThatThrownBy(() -> OwnFolder.checkWritten(shared.resolve("link")))
                .hasMessageContaining("belongs to");
        OtherUser.run("touch " + shared + "/file");
        assertThat(OwnFolder.isOwn(shared.resolve("file"))).isFalse();
        assertThat(OwnFolder.isOwn(mine)).isTrue();
    }
}
