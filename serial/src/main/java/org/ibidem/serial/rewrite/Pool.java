package org.ibidem.serial.rewrite;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ibidem.serial.inside.ClassCode;
import org.jspecify.annotations.Nullable;

/// Loads classes to look at them: those of the places first, then those of the class path, then
/// ours and the JDK's.
final class Pool extends URLClassLoader {
    private final Map<String, Found> files = new HashMap<>();

    Pool(List<Found> found, List<Path> classPath) throws IOException {
        super("rewritten", urls(classPath), Pool.class.getClassLoader());
        for (var file : found) {
            files.putIfAbsent(file.code().name(), file);
        }
    }

    private static URL[] urls(List<Path> classPath) throws MalformedURLException {
        var urls = new URL[classPath.size()];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = classPath.get(i).toUri().toURL();
        }
        return urls;
    }

    /// The class; it is not initialized.
    Class<?> type(String name) throws ClassNotFoundException {
        return Class.forName(name, false, this);
    }

    /// Whether it was found in a place.
    boolean has(Class<?> type) {
        return files.containsKey(type.getName()) && type.getClassLoader() == this;
    }

    /// The class file of a class; null: it cannot be seen.
    @Nullable ClassCode code(Class<?> type) throws IOException {
        var file = files.get(type.getName());
        if (file != null) {
            return file.code();
        }
        var name = type.getName().replace('.', '/') + ".class";
        try (var in = getResourceAsStream(name)) {
            return in == null ? null : new ClassCode(in.readAllBytes());
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            var file = files.get(name);
            if (file == null) {
                return super.loadClass(name, resolve);
            }
            var loaded = findLoadedClass(name);
            return loaded != null
                    ? loaded
                    : defineClass(name, file.bytes(), 0, file.bytes().length);
        }
    }
}
