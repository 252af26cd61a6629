package org.ibidem.trust;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ibidem.config.OwnFolder;
import org.ibidem.config.Settings;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Which key of a job belongs to which hub.
class JobKeysTest {
    private static final int PORT = 40_001;

    @TempDir private Path temporary;
    private Path folder;
    private final JobKey key = JobKey.create();
    private final Map<String, String> set = new HashMap<>();
    private final JobKeys keys = new JobKeys(() -> Settings.of(set), () -> List.of(folder));

    @BeforeEach
    void make() throws IOException {
        folder = temporary.resolve("usual");
        OwnFolder.make(folder);
    }

    private JobKeys.Found at(int port) {
        return keys.towards(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    private String nameAt(int port) {
        var found = at(port).key();
        return found == null ? "none" : found.name();
    }

    @Test
    void only_its_user_can_read_it_and_it_is_found_by_the_port_of_its_hub() throws IOException {
        var file = JobFile.write(folder, key, PORT);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.path())))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                .isEqualTo("rwx------");
        assertThat(nameAt(PORT)).isEqualTo(key.name());
        assertThat(nameAt(PORT / 10)).as("another hub").isEqualTo("none");
    }

    @Test
    void two_jobs_have_a_key_each_and_whoever_ends_removes_no_other() throws IOException {
        var other = JobKey.create();
        var one = JobFile.write(folder, key, PORT);
        var two = JobFile.write(folder, other, PORT + 1);
        assertThat(nameAt(PORT + 1)).isEqualTo(other.name()).isNotEqualTo(nameAt(PORT));
        var later = JobFile.write(folder, JobKey.create(), PORT);
        one.delete();
        assertThat(later.path()).exists();
        assertThat(two.path()).exists();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "LocalHost",
                "127.0.0.1",
                "127.9.8.7",
                "::1",
                "::ffff:127.0.0.1"
            })
    void it_does_not_matter_how_the_loopback_is_called(String host) throws IOException {
        JobFile.write(folder, key, PORT);
        var found = keys.towards(new InetSocketAddress(InetAddress.getByName(host), PORT));
        assertThat(found.key()).isNotNull();
    }

    @Test
    void a_hub_elsewhere_has_none() throws IOException {
        JobFile.write(folder, key, PORT);
        var elsewhere = new InetSocketAddress(InetAddress.getByName("192.0.2.7"), PORT);
        assertThat(keys.towards(elsewhere)).isEqualTo(JobKeys.Found.NOTHING);
    }

    @Test
    void one_that_is_named_counts_for_its_own_hub_alone() throws IOException {
        var file = JobFile.write(temporary, key, PORT);
        set.put("ibidem.job", file.path().toString());
        assertThat(nameAt(PORT)).isEqualTo(key.name());
        assertThat(at(PORT + 1).key()).isNull();
        assertThat(at(PORT + 1).why()).contains("which is the key of the hub at port " + PORT);
        set.put("ibidem.job", " ");
        assertThat(at(PORT + 1).why())
                .as("blank is as not set")
                .isEqualTo("there is no key of a job at port " + (PORT + 1) + " in " + folder);
    }

    @Test
    void one_that_was_removed_is_said_to_be_so() throws IOException {
        var file = JobFile.write(temporary, key, PORT);
        set.put("ibidem.job", file.path().toString());
        file.delete();
        assertThat(at(PORT).why())
                .startsWith("ibidem.job (system property ibidem.job) names " + file.path())
                .contains("which was removed, or the job ended");
    }

    @Test
    void one_that_was_read_before_counts_while_its_launcher_lives() throws IOException {
        var file = JobFile.write(folder, key, PORT);
        assertThat(nameAt(PORT)).isEqualTo(key.name());
        file.delete();
        assertThat(nameAt(PORT)).isEqualTo(key.name());
    }

    /// The number of this process, which was started at another time: it was given again.
    @Test
    void one_of_a_launcher_that_is_gone_is_left_aside_and_swept() throws IOException {
        var file = JobFile.write(folder, key, PORT);
        var start = file.launcher().start();
        var text = Files.readString(file.path());
        Files.writeString(file.path(), text.replace("start " + start, "start 1" + start));
        assertThat(at(PORT).key()).isNull();
        var mine = JobFile.write(folder, key, PORT + 1);
        JobFolders.sweep(folder);
        assertThat(file.path()).doesNotExist();
        assertThat(mine.path()).exists();
    }
}
