package org.ibidem.satin.run;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.ibidem.satin.rewrite.Returns;
import org.ibidem.satin.rewrite.Rewriter;
import org.jspecify.annotations.Nullable;

/// Loads the classes of a program, rewritten. What is on the program's class path comes from there,
/// also where the parent has it, but for the JDK and Ibidem itself.
public final class ProgramLoader extends URLClassLoader {
    private static final System.Logger LOG = System.getLogger(ProgramLoader.class.getName());
    private static final String OURS = "(java|ibis\\.satin|org\\.ibidem(?!\\.apps))\\..*";

    static {
        registerAsParallelCapable();
    }

    private final Rewriter rewriter;

    /// By the class that was rewritten: it, and those made for it.
    private final Map<String, Map<String, byte[]>> rewritten = new ConcurrentHashMap<>();

    /// Loads from a class path, as the `java` command takes it.
    public ProgramLoader(String classPath, ClassLoader parent) {
        this(classPath, Returns.METHOD, false, parent);
    }

    /// The same.
    ///
    /// @param returns what a `return` in an inlet ends
    /// @param debug whether the log says where the program has no sync and should have one
    public ProgramLoader(String classPath, Returns returns, boolean debug, ClassLoader parent) {
        super("satin", urls(classPath), parent);
        var missing = debug ? Level.WARNING : Level.DEBUG;
        rewriter =
                new Rewriter(
                        this::file, returns, ProgramLoader::left, what -> LOG.log(missing, what));
    }

    private static URL[] urls(String classPath) {
        return Arrays.stream(classPath.split(File.pathSeparator, -1))
                .map(entry -> Path.of(entry).toUri())
                .map(entry -> {
                    try {
                        return entry.toURL();
                    } catch (MalformedURLException e) {
                        throw new IllegalArgumentException(
                                "'" + entry + "' in the class path is no file name", e);
                    }
                })
                .toArray(URL[]::new);
    }

    private static void left(String what) {
        LOG.log(Level.INFO, what);
    }

    private byte @Nullable [] file(String internalName) {
        var path = internalName + ".class";
        var mine = findResource(path);
        return read(mine != null ? mine : getParent().getResource(path));
    }

    private static byte @Nullable [] read(@Nullable URL place) {
        if (place == null) {
            return null;
        }
        try (var in = place.openStream()) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + place, e);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (name.matches(OURS)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            var known = findLoadedClass(name);
            if (known == null && isMine(name)) {
                known = findClass(name);
            }
            return known != null ? known : super.loadClass(name, resolve);
        }
    }

    private @Nullable URL place(String name) {
        return findResource(Rewriter.madeWith(name).replace('.', '/') + ".class");
    }

    private boolean isMine(String name) {
        return place(name) != null;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        var place = place(name);
        var file = read(place);
        if (place == null || file == null) {
            throw new ClassNotFoundException(name);
        }
        // A job that was stolen may come before the class whose method has spawned it.
        var owner = Rewriter.madeWith(name);
        var bytes = rewritten.computeIfAbsent(owner, _ -> rewriter.rewrite(file)).get(name);
        if (bytes == null) { // It is as it was, or was rewritten before.
            bytes =
                    name.equals(owner)
                            ? file
                            : read(findResource(name.replace('.', '/') + ".class"));
        }
        if (bytes == null) {
            throw new ClassNotFoundException(name);
        }
        var source = new CodeSource(place, (Certificate[]) null);
        return defineClass(
                name, bytes, 0, bytes.length, new ProtectionDomain(source, null, this, null));
    }
}
