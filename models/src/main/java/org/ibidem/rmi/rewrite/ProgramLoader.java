package org.ibidem.rmi.rewrite;

import java.lang.System.Logger.Level;
import org.ibidem.program.RewritingLoader;
import org.jspecify.annotations.Nullable;

/// Loads the classes of a program of `java.rmi`, rewritten. The log says which of them use what
/// stays the JDK's.
public final class ProgramLoader extends RewritingLoader {
    static {
        registerAsParallelCapable();
    }

    /// One for the JVM's system class loader, or another one that finds what its parent does.
    public ProgramLoader(ClassLoader parent) {
        super(parent);
    }

    /// @throws ClassFormatError when it is no class file, or has no room for the other names
    @Override
    protected byte @Nullable [] rewritten(String name, byte[] file) {
        try {
            return Replacing.rewrite(file).map(ProgramLoader::told).orElse(null);
        } catch (IllegalArgumentException e) {
            var wrong = new ClassFormatError("cannot rewrite " + name + ": " + e.getMessage());
            wrong.initCause(e);
            throw wrong;
        }
    }

    private static byte[] told(Replacing.Replaced replaced) {
        if (!replaced.left().isEmpty()) {
            var left = String.join(", ", replaced.left());
            System.getLogger(ProgramLoader.class.getName())
                    .log(
                            Level.WARNING,
                            () -> replaced.name() + " uses what stays the JDK's: " + left);
        }
        return replaced.file();
    }
}
