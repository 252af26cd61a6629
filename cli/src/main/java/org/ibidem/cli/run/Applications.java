package org.ibidem.cli.run;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.FindException;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Stream;

/// The applications that come with Ibidem. Each is a package of the module `org.ibidem.apps` with a
/// file `application.properties`: `main`, the simple name of its main class, `summary`, one line,
/// and `watch`, the class that shows what it computes, if there is one. There is no other list.
final class Applications {
    /// The module they are in.
    static final String MODULE = "org.ibidem.apps";

    private static final String ROOT = "org/ibidem/apps/";
    private static final String FILE = "/application.properties";

    private final Map<String, Application> byName;

    /// One of them.
    ///
    /// @param name what a user calls it: its package's last name
    /// @param main its main class
    /// @param summary what it does, in one line
    /// @param place the folder or jar of its module
    /// @param watch the class that shows what it computes; `""`: none
    record Application(String name, String main, String summary, String place, String watch) {}

    private Applications(Map<String, Application> byName) {
        this.byName = byName;
    }

    /// Found when they are first asked for: it takes a while.
    private static final class Own {
        static final Applications ALL = in(Jvm.ownPath());
    }

    /// Those that come with this Ibidem.
    static Applications own() {
        return Own.ALL;
    }

    /// The applications in the folders and jars of `path` (entries between path separators; a
    /// folder may hold jars).
    static Applications in(String path) {
        var found = new TreeMap<String, Application>();
        for (var entry : path.split(File.pathSeparator, -1)) {
            try {
                for (var module : ModuleFinder.of(narrow(entry)).find(MODULE).stream().toList()) {
                    try (var reader = module.open()) {
                        var place = Path.of(module.location().orElseThrow()).toString();
                        read(reader, place)
                                .forEach(application -> found.put(application.name(), application));
                    }
                }
            } catch (FindException e) {
                // Not a module, and so not ours: class paths hold many such jars.
            } catch (IOException e) {
                throw new UncheckedIOException("cannot read " + entry, e);
            }
        }
        return new Applications(found);
    }

    /// Of a folder of jars the one by whose name it is theirs, if it is there: to look into all of
    /// them takes a while.
    private static Path narrow(String entry) throws IOException {
        var folder = Path.of(entry);
        if (Files.isDirectory(folder)) {
            try (var jars = Files.newDirectoryStream(folder, "ibidem-apps-*.jar")) {
                var found = jars.iterator();
                if (found.hasNext()) {
                    return found.next();
                }
            }
        }
        return folder;
    }

    private static List<Application> read(ModuleReader reader, String place) throws IOException {
        var applications = new ArrayList<Application>();
        try (Stream<String> names = reader.list()) {
            for (var name : names.toList()) {
                if (name.startsWith(ROOT) && name.endsWith(FILE)) {
                    applications.add(read(reader, name, place));
                }
            }
        }
        return applications;
    }

    private static Application read(ModuleReader reader, String file, String place)
            throws IOException {
        var properties = new Properties();
        try (var in = reader.open(file).orElseThrow()) {
            properties.load(in);
        }
        var folder = file.substring(0, file.length() - FILE.length());
        var main = folder.replace('/', '.') + "." + properties.getProperty("main");
        return new Application(
                folder.substring(ROOT.length()),
                main,
                properties.getProperty("summary", ""),
                place,
                properties.getProperty("watch", ""));
    }

    /// Where the application with this main class comes from; `""` when it is none.
    String place(String main) {
        return byName.values().stream()
                .filter(application -> application.main().equals(main))
                .map(Application::place)
                .findFirst()
                .orElse("");
    }

    /// The applications by name.
    Map<String, Application> byName() {
        return byName;
    }
}
