package org.ibidem.trust;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.ibidem.config.OwnFolder;
import org.ibidem.config.Settings;
import org.ibidem.config.WholeFile;

/// The file in which a job's key lies for the processes of its user: text, a name and a value a
/// line, in a folder of that user alone.
public final class JobFile {
    private static final String HEAD = "ibidem job 1";
    private static final String PREFIX = "job-";
    private static final int LONGEST = 4096;
    private static final int HIGHEST_PORT = 0xFFFF;

    private final Path path;
    private final JobKey key;
    private final int port;
    private final Launcher launcher;

    private JobFile(Path path, JobKey key, int port, Launcher launcher) {
        this.path = path;
        this.key = key;
        this.port = port;
        this.launcher = launcher;
    }

    /// Where it lies.
    public Path path() {
        return path;
    }

    /// The job's key.
    public JobKey key() {
        return key;
    }

    /// Of the job's hub, on loopback.
    int port() {
        return port;
    }

    /// Whose file it is.
    Launcher launcher() {
        return launcher;
    }

    /// Writes the key of a job of this process, in the first folder that will do; and removes the
    /// files that launchers have left there which were killed.
    ///
    /// @param port of the job's hub
    /// @throws IOException when no folder will do; says of each why
    public static JobFile write(JobKey key, int port) throws IOException {
        return write(JobFolders.places(Settings.system()), key, port);
    }

    static JobFile write(List<JobFolders.Place> places, JobKey key, int port) throws IOException {
        var failed = new ArrayList<IOException>();
        var whys = new ArrayList<String>();
        for (var place : places) {
            try {
                place.make();
                return write(place.folder(), key, port);
            } catch (IOException e) {
                failed.add(e);
                whys.add(JobFolders.why(place.folder(), e));
            }
        }
        var all =
                new IOException(
                        "the job's key cannot be written anywhere: " + String.join("; ", whys));
        failed.forEach(all::addSuppressed);
        throw all;
    }

    static JobFile write(Path folder, JobKey key, int port) throws IOException {
        // No other job ever has this name, so whoever removes it removes no other's.
        var path = folder.resolve(PREFIX + port + "-" + UUID.randomUUID());
        var file = new JobFile(path, key, port, Launcher.current());
        WholeFile.write(path, file.text(), OwnFolder.mode(path, OwnFolder.FILE));
        return file;
    }

    private byte[] text() {
        return """
        %s
        key %s
        port %d
        pid %d
        start %s
        processes %s
        network %s
        """
                .formatted(
                        HEAD,
                        HexFormat.of().formatHex(key.secret()),
                        port,
                        launcher.pid(),
                        launcher.start(),
                        launcher.processes(),
                        launcher.network())
                .getBytes(StandardCharsets.US_ASCII);
    }

    /// What lies there.
    ///
    /// @throws IOException when it cannot be read, or is none
    public static JobFile read(Path path) throws IOException {
        if (Files.size(path) > LONGEST) {
            throw new IOException(path + " is no key of a job: it has over " + LONGEST + " bytes");
        }
        var lines = Files.readString(path, StandardCharsets.ISO_8859_1).lines().toList();
        var values = new HashMap<String, String>();
        for (var line : lines) {
            var parts = line.split(" ", 2);
            values.put(parts[0], parts.length == 2 ? parts[1] : "");
        }
        try {
            if (lines.isEmpty() || !lines.getFirst().equals(HEAD)) {
                throw new IllegalArgumentException("its first line is not '" + HEAD + "'");
            }
            var launcher =
                    new Launcher(
                            Long.parseLong(values.getOrDefault("pid", "")),
                            values.getOrDefault("start", ""),
                            values.getOrDefault("processes", ""),
                            values.getOrDefault("network", ""));
            int port = Integer.parseInt(values.getOrDefault("port", ""));
            if (port < 1 || port > HIGHEST_PORT) {
                throw new IllegalArgumentException("port " + port);
            }
            var key = JobKey.of(HexFormat.of().parseHex(values.getOrDefault("key", "")));
            return new JobFile(path, key, port, launcher);
        } catch (IllegalArgumentException e) {
            throw new IOException(path + " is no key of a job: " + e.getMessage(), e);
        }
    }

    /// Whether a file may be one, of a job at this port; 0: at any.
    static boolean isNamed(Path file, int port) {
        var start = port == 0 ? PREFIX : PREFIX + port + "-";
        return String.valueOf(file.getFileName()).startsWith(start);
    }

    /// Removes it: the job has ended.
    public void delete() throws IOException {
        Files.deleteIfExists(path);
    }
}
