package org.ibidem.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ibidem.config.Settings;
import org.ibidem.trust.JobFolders.Place;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Where a launcher writes its job's key, and what it says where it cannot.
class JobFoldersTest {
    private static final int PORT = 40_001;

    @TempDir private Path temporary;
    private final JobKey key = JobKey.create();

    private List<Place> unfit() throws IOException {
        var file = Files.createFile(temporary.resolve("file"));
        var open = Files.createDirectory(temporary.resolve("open"));
        Files.setPosixFilePermissions(
                Files.createDirectory(open.resolve("ibidem")),
                PosixFilePermissions.fromString("rwxr-xr-x"));
        return List.of(
                new Place(temporary.resolve("none"), "ibidem", false),
                new Place(file, "ibidem", false),
                new Place(open, "ibidem", true));
    }

    @Test
    void the_key_is_written_to_the_first_folder_that_takes_it() throws IOException {
        var places = new ArrayList<>(unfit());
        places.add(new Place(temporary, "usual", true));
        places.add(new Place(temporary, "later", true));
        var file = JobFile.write(places, key, PORT);
        assertThat(file.path().getParent()).isEqualTo(temporary.resolve("usual"));
        assertThat(JobFile.read(file.path()).key().name()).isEqualTo(key.name());
        assertThat(temporary.resolve("none")).doesNotExist();
        assertThat(temporary.resolve("later")).doesNotExist();
    }

    @Test
    void each_folder_that_takes_none_is_named_with_its_cause() throws IOException {
        var places = unfit();
        assertThatThrownBy(() -> JobFile.write(places, key, PORT))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        """
                        the job's key cannot be written anywhere: \
                        %1$s/none/ibidem: there is no %1$s/none; \
                        %1$s/file/ibidem: it is no folder (%1$s/file); \
                        %1$s/open/ibidem: must be a folder of this user alone, but its mode is \
                        rwxr-xr-x; run: chmod 700 %1$s/open/ibidem\
                        """
                                .formatted(temporary));
    }

    @Test
    void a_cause_is_the_systems_own() {
        var folder = temporary.resolve("usual");
        var part = folder.resolve(".part").toString();
        assertThat(
                        JobFolders.why(
                                folder, new FileSystemException(part, null, "Too many open files")))
                .isEqualTo(folder + ": Too many open files");
        assertThat(JobFolders.why(folder, new AccessDeniedException(folder.toString())))
                .isEqualTo(folder + ": permission denied");
        assertThat(JobFolders.why(folder, new IOException("No space left on device")))
                .isEqualTo(folder + ": No space left on device");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void the_last_is_where_any_process_may_write() {
        var told = Map.of("XDG_RUNTIME_DIR", temporary.toString());
        var places = JobFolders.places(Settings.of(Map.of(), told));
        assertThat(places.getFirst().folder()).isEqualTo(temporary.resolve("ibidem"));
        assertThat(places.getLast().in()).isEqualTo(Path.of("/tmp"));
        assertThat(places).map(Place::in).contains(Path.of("/dev/shm"));
    }
}
