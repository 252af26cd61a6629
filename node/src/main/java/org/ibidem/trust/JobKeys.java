package org.ibidem.trust;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.ibidem.config.Settings;
import org.jspecify.annotations.Nullable;

/// The keys of jobs that this process may know, by the hub each belongs to: that of the file which
/// the setting `ibidem.job` names, and those in the usual folders of this user. A hub has none
/// unless it is on this machine's loopback, at the port that the key's file says.
public final class JobKeys {
    private static final String SETTING = "ibidem.job";

    private final Supplier<Settings> settings;
    private final Supplier<List<Path>> folders;
    private final Map<Integer, JobFile> known = new ConcurrentHashMap<>();

    /// What was found.
    ///
    /// @param key null: none
    /// @param why there is none, for people; empty where nobody looked
    public record Found(@Nullable JobKey key, String why) {
        /// No key, as nobody needs one.
        public static final Found NOTHING = new Found(null, "");
    }

    /// Of this process.
    public JobKeys() {
        this(Settings::system, JobFolders::usual);
    }

    JobKeys(Supplier<Settings> settings, Supplier<List<Path>> folders) {
        this.settings = settings;
        this.folders = folders;
    }

    /// With which key a hub is to be joined.
    ///
    /// @param hub its address, as the connection to it has it
    public Found towards(@Nullable SocketAddress hub) {
        // Whatever it was called, localhost, 127.0.0.2 or ::ffff:127.0.0.1: here it is resolved.
        if (!(hub instanceof InetSocketAddress at)
                || at.getAddress() == null
                || !at.getAddress().isLoopbackAddress()) {
            return Found.NOTHING;
        }
        int port = at.getPort();
        var whys = new ArrayList<String>();
        var found = named(port, whys);
        if (found == null) {
            found = usual(port, whys);
        }
        if (found == null) {
            // One that was found before counts while its job runs, whoever has removed the file.
            var before = known.get(port);
            found = before == null || before.launcher().isGone() ? null : before;
        }
        if (found == null) {
            return new Found(null, String.join("; ", whys));
        }
        known.put(port, found);
        return new Found(found.key(), "");
    }

    private @Nullable JobFile named(int port, List<String> whys) {
        var given = settings.get().given(SETTING).filter(set -> !set.value().isBlank());
        if (given.isEmpty()) {
            return null;
        }
        var value = given.get().value().strip();
        var named = SETTING + " (" + given.get().place() + ") names " + value;
        var path = Path.of(value);
        try {
            var file = JobFile.read(path);
            if (file.port() == port) {
                return file;
            }
            whys.add(named + ", which is the key of the hub at port " + file.port());
        } catch (NoSuchFileException _) {
            whys.add(named + ", which was removed, or the job ended");
        } catch (AccessDeniedException _) {
            whys.add(named + ", which this user may not read" + owner(path));
        } catch (IOException e) {
            whys.add(named + ": " + e.getMessage());
        }
        return null;
    }

    private static String owner(Path path) {
        try {
            return ": it belongs to " + Files.getOwner(path).getName();
        } catch (IOException _) {
            return "";
        }
    }

    private @Nullable JobFile usual(int port, List<String> whys) {
        var all = folders.get();
        for (var folder : all) {
            try {
                var found =
                        JobFolders.living(folder, port).stream()
                                .filter(file -> file.port() == port)
                                .filter(file -> file.launcher().isOnThisLoopback())
                                .findAny();
                if (found.isPresent()) {
                    return found.get();
                }
            } catch (IOException e) {
                whys.add(JobFolders.why(folder, e));
            }
        }
        whys.add(
                all.stream()
                        .map(Path::toString)
                        .collect(
                                Collectors.joining(
                                        " and ",
                                        "there is no key of a job at port " + port + " in ",
                                        "")));
        return null;
    }
}
