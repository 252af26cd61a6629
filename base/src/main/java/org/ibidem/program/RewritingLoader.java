package org.ibidem.program;

import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.security.CodeSigner;
import java.security.CodeSource;
import java.util.HashSet;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Loads a program whose classes are rewritten. Where something is says its parent, which may be
/// the `java` command's own loader: resources are the parent's, and each class is defined from the
/// file that the parent would define it from, with the same code source, signers and package. The
/// digest of a signed class is that of the file, before it is rewritten.
///
/// It is for the system property `java.system.class.loader`: then it is also what
/// [ClassLoader#getSystemClassLoader] gives, and a program's thread begins with. So those that
/// extend it have a public constructor with the parent, which looks at nothing but that.
public abstract class RewritingLoader extends URLClassLoader {
    /// Where Ibidem is on the class path itself. The applications are programs.
    private static final Pattern IBIDEM =
            Pattern.compile("(ibis\\.satin|mpi|mpjbuf|org\\.ibidem(?!\\.apps\\.))\\..+");

    private static final URL[] NOTHING = {};

    static {
        registerAsParallelCapable();
    }

    private final boolean modular = RewritingLoader.class.getModule().isNamed();

    /// Packages of the modules that the JVM has begun with, whose classes are theirs.
    private final Set<String> modules = new HashSet<>();

    /// What a class is made of.
    private record Origin(byte[] file, CodeSource source, @Nullable Manifest manifest) {}

    /// One without a name, which would be seen in traces.
    ///
    /// @param programs modules that are programs, to be rewritten as well
    protected RewritingLoader(ClassLoader parent, String... programs) {
        super(NOTHING, parent);
        var all = Set.of(programs);
        for (var module : ModuleLayer.boot().modules()) {
            if (!all.contains(module.getName())) {
                modules.addAll(module.getPackages());
            }
        }
    }

    /// The class file of a class of the program's.
    ///
    /// @param name of the class, as in a program
    /// @param file the class file that there is of it, or of what it is [made of][#madeOf]
    /// @return null: it is what there is of the class itself
    protected abstract byte @Nullable [] rewritten(String name, byte[] file);

    /// The class whose rewriting makes this one; itself for those that are not made.
    protected String madeOf(String name) {
        return name;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (isParents(name)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            var known = findLoadedClass(name);
            known = known != null ? known : defined(name);
            return known != null ? known : super.loadClass(name, resolve);
        }
    }

    /// Called by the JVM, of a system class loader, for the jar of an agent: its classes are not
    /// rewritten.
    protected void appendToClassPathForInstrumentation(String jar) throws IOException {
        addURL(Path.of(jar).toUri().toURL());
    }

    private boolean isParents(String name) {
        return modules.contains(packageOf(name)) || (!modular && IBIDEM.matcher(name).matches());
    }

    private static String packageOf(String name) {
        return name.substring(0, Math.max(0, name.lastIndexOf('.')));
    }

    private @Nullable Class<?> defined(String name) throws ClassNotFoundException {
        var made = madeOf(name);
        try {
            var origin = origin(made);
            var bytes = origin == null ? null : rewritten(name, origin.file);
            if (bytes == null && !made.equals(name)) {
                origin = origin(name);
            }
            return origin == null ? null : define(name, bytes, origin);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    private Class<?> define(String name, byte @Nullable [] rewritten, Origin origin) {
        var bytes = rewritten == null ? origin.file : rewritten;
        ensurePackage(packageOf(name), origin);
        return defineClass(name, bytes, 0, bytes.length, origin.source);
    }

    private @Nullable Origin origin(String name) throws IOException {
        var path = name.replace('.', '/') + ".class";
        var place = getParent().getResource(path);
        if (place == null || place.getProtocol().equals("jrt")) {
            return null;
        }
        var connection = place.openConnection();
        byte[] file;
        try (var in = connection.getInputStream()) {
            file = in.readAllBytes(); // a signed entry is verified by this
        }
        if (connection instanceof JarURLConnection jar) {
            var source = new CodeSource(jar.getJarFileURL(), jar.getJarEntry().getCodeSigners());
            return new Origin(file, source, jar.getManifest());
        }
        return new Origin(file, new CodeSource(folder(place, path), (CodeSigner[]) null), null);
    }

    /// @param path of a file in it
    private static URL folder(URL file, String path) throws IOException {
        try {
            long depth = path.chars().filter(each -> each == '/').count();
            return file.toURI().resolve("./" + "../".repeat((int) depth)).toURL();
        } catch (URISyntaxException e) {
            throw new IOException(file + " is no address of a file", e);
        }
    }

    /// As the JDK's loader does it: the unnamed package has no version.
    private void ensurePackage(String name, Origin origin) {
        var url = origin.source.getLocation();
        if (name.isEmpty() || isDefined(name, origin.manifest, url)) {
            return;
        }
        try {
            if (origin.manifest == null) {
                definePackage(name, null, null, null, null, null, null, null);
            } else {
                definePackage(name, origin.manifest, url);
            }
        } catch (IllegalArgumentException e) { // another thread was faster
            isDefined(name, origin.manifest, url);
        }
    }

    /// With the words of the JDK's loaders.
    private boolean isDefined(String name, @Nullable Manifest manifest, URL from) {
        var known = getDefinedPackage(name);
        if (known == null) {
            return false;
        }
        if (known.isSealed() && !known.isSealed(from)) {
            throw new SecurityException("sealing violation: package " + name + " is sealed");
        }
        if (!known.isSealed() && manifest != null && isSealed(name, manifest)) {
            throw new SecurityException(
                    "sealing violation: can't seal package " + name + ": already defined");
        }
        return true;
    }

    private static boolean isSealed(String name, Manifest manifest) {
        var own = manifest.getAttributes(name.replace('.', '/') + "/");
        var sealed = own == null ? null : own.getValue(Attributes.Name.SEALED);
        sealed =
                sealed == null
                        ? manifest.getMainAttributes().getValue(Attributes.Name.SEALED)
                        : sealed;
        return "true".equalsIgnoreCase(sealed);
    }
}
