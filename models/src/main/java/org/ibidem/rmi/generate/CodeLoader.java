package org.ibidem.rmi.generate;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Where generated classes live: they see the interfaces they are for, all that those see, and what
/// generated code stands on. Nobody keeps it but its classes, so it goes when they do.
final class CodeLoader extends ClassLoader {
    /// The package of generated classes.
    static final String PACKAGE = "org.ibidem.rmi.made.";

    private static final String FRAME = "org.ibidem.rmi.frame.";
    private static final String PORT = "org.ibidem.port.";

    private final Map<String, Class<?>> known = new HashMap<>();

    CodeLoader(List<Class<?>> types) {
        super("rmi", types.getFirst().getClassLoader());
        for (var each : types) {
            known.put(each.getName(), each);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        var mine = known.get(name);
        if (mine != null) {
            return mine;
        }
        if (name.startsWith(FRAME) || name.startsWith(PORT)) {
            return Class.forName(name, false, CodeLoader.class.getClassLoader());
        }
        return super.loadClass(name, resolve);
    }

    Class<?> define(String name, byte[] code) {
        return defineClass(name, code, 0, code.length);
    }

    /// Makes an object of a class that was generated.
    static Object made(Class<?> type, Class<?>[] parameters, Object... arguments) {
        try {
            return type.getConstructor(parameters).newInstance(arguments);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("cannot make a " + type.getName() + ", which was generated", e);
        }
    }
}
