package org.ibidem.satin.run;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.ibidem.config.Settings;
import org.ibidem.program.RewritingLoader;
import org.ibidem.satin.rewrite.Returns;
import org.ibidem.satin.rewrite.Rewriter;
import org.jspecify.annotations.Nullable;

/// Loads the classes of a program, rewritten so that it spawns. Settings: `ibidem.satin.returns`
/// and `ibidem.satin.copying`, as of [Main].
public final class ProgramLoader extends RewritingLoader {
    private static final String APPLICATIONS = "org.ibidem.apps";

    static {
        registerAsParallelCapable();
    }

    private @Nullable Returns returns;
    private @Nullable Rewriter rewriter;

    /// By the class that was rewritten: it, and those made for it.
    private final Map<String, Map<String, byte[]>> rewritten = new ConcurrentHashMap<>();

    /// One for the JVM's system class loader, or another one that finds what its parent does.
    public ProgramLoader(ClassLoader parent) {
        super(parent, APPLICATIONS);
    }

    /// One for what is on a class path, as the `java` command takes it, and in the parent.
    ///
    /// @throws IllegalArgumentException when an entry cannot be a path
    public ProgramLoader(String classPath, ClassLoader parent) {
        this(new URLClassLoader(urls(classPath), parent));
    }

    private static URL[] urls(String classPath) {
        return Arrays.stream(classPath.split(File.pathSeparator, -1))
                .map(ProgramLoader::url)
                .toArray(URL[]::new);
    }

    private static URL url(String entry) {
        try {
            return Path.of(entry).toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException("no entry of a class path: '" + entry + "'", e);
        }
    }

    /// As the first.
    ///
    /// @param returns what a `return` in an inlet ends, whatever is set
    public ProgramLoader(ClassLoader parent, Returns returns) {
        this(parent);
        this.returns = returns;
    }

    /// Made when the first class is rewritten: the JVM makes its system class loader before there
    /// is a log.
    private synchronized Rewriter rewriter() {
        var made = rewriter;
        if (made == null) {
            var log = System.getLogger(ProgramLoader.class.getName());
            var settings = Settings.system();
            var missing =
                    settings.value("ibidem.satin.copying", false) ? Level.WARNING : Level.DEBUG;
            var ends =
                    returns != null
                            ? returns
                            : Returns.parse(settings.value("ibidem.satin.returns", "method"));
            made =
                    new Rewriter(
                            this::file,
                            ends,
                            left -> log.log(Level.INFO, left),
                            what -> log.log(missing, what));
            rewriter = made;
        }
        return made;
    }

    private byte @Nullable [] file(String internalName) {
        var place = getResource(internalName + ".class");
        if (place == null) {
            return null;
        }
        try (var in = place.openStream()) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + place, e);
        }
    }

    /// A job that was stolen may come before the class whose method has spawned it.
    @Override
    protected String madeOf(String name) {
        return Rewriter.madeWith(name);
    }

    @Override
    protected byte @Nullable [] rewritten(String name, byte[] file) {
        return rewritten
                .computeIfAbsent(madeOf(name), _ -> rewriter().rewrite(file))
                .get(name); // null: it is as it was, or was rewritten before
    }
}
