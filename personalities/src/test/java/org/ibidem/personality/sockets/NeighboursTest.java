package org.ibidem.personality.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.ibidem.identity.Identity;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NeighboursTest {
    private final NodeId one = Identity.create().id();
    private final NodeId other = Identity.create().id();

    @TempDir Path shared;
    private Path folder;

    @BeforeEach
    void name() {
        folder = shared.resolve("own");
    }

    private static InetSocketAddress at(String address, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral(address), port);
    }

    private Path file(NodeId node) {
        return folder.resolve("wrap-" + node);
    }

    @Test
    void who_listens_is_found_until_it_ends() {
        try (var mine = new Neighbours(one, folder);
                var theirs = new Neighbours(other, folder)) {
            assertThat(theirs.listening(one, 80)).isNull();
            mine.listens(80, at("127.0.0.1", 80));
            mine.listens(8080, at("127.9.9.9", 8080));
            mine.listens(81, at("::1", 81));
            assertThat(theirs.listening(one, 80)).isEqualTo(at("127.0.0.1", 80));
            assertThat(theirs.listening(one, 8080)).isEqualTo(at("127.9.9.9", 8080));
            assertThat(mine.listening(one, 80)).as("itself").isNotNull();
            assertThat(theirs.listening(one, 81)).as("of IPv6").isNull();
            assertThat(theirs.listening(one, 8)).isNull();
            mine.ended(80);
            assertThat(theirs.listening(one, 80)).isNull();
            assertThat(theirs.listening(one, 8080)).isNotNull();
        }
        assertThat(file(one)).doesNotExist();
    }

    @Test
    void another_network_s_are_not_of_this_machine() throws IOException {
        try (var theirs = new Neighbours(other, folder)) {
            Files.writeString(file(one), "net:[1] 1\n80 127.0.0.1\n");
            assertThat(theirs.listening(one, 80)).isNull();
        }
    }

    @Test
    void what_a_killed_agent_has_left_is_removed_and_garbage_is_nobody() throws IOException {
        long gone = 1L << 30;
        try (var mine = new Neighbours(one, folder)) {
            mine.listens(80, at("127.0.0.1", 80));
            var living = Files.readString(file(one));
            var pid = String.valueOf(ProcessHandle.current().pid());
            Files.writeString(file(other), living.replace(" " + pid, " " + gone));
            Files.writeString(folder.resolve("wrap-garbage"), "\0\nhm hm hm\n");
            try (var later = new Neighbours(Identity.create().id(), folder)) {
                assertThat(file(other)).doesNotExist();
                assertThat(later.listening(one, 80)).isNotNull();
            }
            Files.writeString(file(other), living.lines().findFirst().orElseThrow() + "\n80 x\n");
            assertThat(mine.listening(other, 80)).isNull();
        }
    }

    @Test
    void a_folder_that_others_may_write_to_is_not_used() throws IOException {
        Files.createDirectory(folder);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        try (var mine = new Neighbours(one, folder)) {
            mine.listens(80, at("127.0.0.1", 80));
            assertThat(mine.listening(one, 80)).isNull();
        }
        assertThat(file(one)).doesNotExist();
    }
}
