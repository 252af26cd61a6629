package org.ibidem.link.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import org.ibidem.buffer.Ring;
import org.ibidem.buffer.RingPlace;
import org.ibidem.buffer.RingSite;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// How the readers of a broadcast find its memory.
class InvitationTest {
    private static final Path FOLDER = Path.of("/dev/shm");
    private static final Shm OPTIONS = new Shm(4 << 10, 16 << 10);
    private static final int READERS = 5;

    private final MemorySegment ring = Arena.ofAuto().allocate(128, 64);
    private final BroadcastFile file = make();

    private static BroadcastFile make() {
        assumeTrue(Files.isDirectory(FOLDER), "there is no " + FOLDER);
        try {
            return BroadcastFile.create(FOLDER, OPTIONS, READERS);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeEach
    void write() {
        Invitation.write(ring, 64, file, 2);
    }

    @AfterEach
    void close() {
        file.close();
    }

    private @Nullable RingSite follow() {
        return Invitation.follow(ring, 64, Invitation.BYTES);
    }

    @Test
    void who_is_invited_finds_the_very_memory() {
        var site = Objects.requireNonNull(follow());
        assertThat(site.plan().control()).isEqualTo(4096 + 2 * Ring.CONTROL);
        assertThat(site.plan().places())
                .containsExactly(
                        new RingPlace(4096 + 8192, 4096), new RingPlace(4096 + 8192 + 4096, 16384))
                .isEqualTo(file.plan().places());
        site.memory().set(ValueLayout.JAVA_INT, 5000, 7);
        assertThat(file.memory().get(ValueLayout.JAVA_INT, 5000)).isEqualTo(7);
        assertThat(site.memory().byteSize()).isEqualTo(file.memory().byteSize());
    }

    @Test
    void what_is_told_stands_where_the_wire_page_says() {
        assertThat(ring.get(ValueLayout.JAVA_LONG, 64)).isEqualTo(file.key());
        assertThat(file.memory().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(file.key());
        var words =
                new int[] {
                    (int) ProcessHandle.current().pid(),
                    file.descriptor(),
                    OPTIONS.ring(),
                    OPTIONS.largest(),
                    READERS,
                    2
                };
        for (int i = 0; i < words.length; i++) {
            assertThat(ring.get(ValueLayout.JAVA_INT, 64 + 8 + 4L * i)).isEqualTo(words[i]);
        }
        assertThat(file.told()).isEqualTo(32);
    }

    @Test
    void the_file_is_its_users_alone_and_has_no_name() throws IOException {
        var descriptor = Path.of("/proc/self/fd/" + file.descriptor());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(descriptor)))
                .isEqualTo("rw-------");
        assertThat(Files.readSymbolicLink(descriptor).toString())
                .startsWith(FOLDER + "/ibidem-broadcast-")
                .endsWith(" (deleted)");
    }

    private void refused(int offset, int value) {
        write();
        ring.set(ValueLayout.JAVA_INT, 64 + offset, value);
        assertThat(follow()).as("%s at %s", value, offset).isNull();
    }

    @Test
    void what_makes_no_sense_leads_nowhere() {
        refused(0, (int) file.key() + 1);
        for (int value : new int[] {-1, 0, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            refused(8, value);
            refused(12, value);
            refused(16, value);
            refused(20, value);
            refused(24, value);
        }
        refused(16, 8 << 10);
        refused(20, 64 << 10);
        refused(20, 2 << 10);
        for (int reader : new int[] {-1, READERS, Integer.MAX_VALUE}) {
            refused(28, reader);
        }
        write();
        assertThat(Invitation.follow(ring, 64, 31)).isNull();
        assertThat(follow()).isNotNull();
    }

    @Test
    void who_comes_after_it_was_closed_comes_in_vain() {
        var here = Objects.requireNonNull(follow());
        file.close();
        assertThat(follow()).isNull();
        here.memory().set(ValueLayout.JAVA_INT, 5000, 7); // who was there stays
    }

    @Test
    void without_a_folder_there_is_no_file() {
        assertThatThrownBy(() -> BroadcastFile.create(Path.of("/nowhere/at/all"), OPTIONS, READERS))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no broadcast ring of 16384 bytes could be made in /nowhere");
    }
}
