package org.ibidem.rmi.generate;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.lang.reflect.AccessFlag;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// The exceptions and errors that the modules of this JDK export, whether this process has them or
/// not.
final class JdkThrowables {
    /// What a reader calls of a class.
    static final Set<String> CALLED =
            Set.of(
                    "readObject",
                    "readResolve",
                    "readObjectNoData",
                    "readExternal",
                    "validateObject");

    private record Known(String above, boolean shown, List<String> called) {}

    private final Map<String, Known> known = new HashMap<>();

    private JdkThrowables() {}

    /// Their names, and which of their methods a reader calls.
    static Map<String, List<String>> all() throws IOException {
        var classes = new JdkThrowables();
        for (var module : ModuleFinder.ofSystem().findAll()) {
            classes.read(module);
        }
        var all = new TreeMap<String, List<String>>();
        classes.known.forEach((name, known) -> {
            if (known.shown && classes.isThrown(name)) {
                all.put(name.replace('/', '.'), known.called);
            }
        });
        return all;
    }

    private boolean isThrown(String name) {
        for (var at = name; at != null; ) {
            if (at.equals("java/lang/Throwable")) {
                return true;
            }
            var it = known.get(at);
            at = it == null ? null : it.above;
        }
        return false;
    }

    private void read(ModuleReference module) throws IOException {
        var exported = new HashSet<String>();
        for (var exports : module.descriptor().exports()) {
            if (!exports.isQualified()) {
                exported.add(exports.source().replace('.', '/'));
            }
        }
        try (var reader = module.open();
                var names = reader.list()) {
            for (var name : names.filter(name -> isClass(name, exported)).toList()) {
                var bytes = reader.read(name).orElseThrow();
                var copy = new byte[bytes.remaining()];
                bytes.get(copy);
                reader.release(bytes);
                add(ClassFile.of().parse(copy));
            }
        }
    }

    private static boolean isClass(String name, Set<String> packages) {
        int end = name.lastIndexOf('/');
        return name.endsWith(".class") && end > 0 && packages.contains(name.substring(0, end));
    }

    private void add(ClassModel type) {
        var above = type.superclass().map(it -> it.asInternalName()).orElse("");
        var called =
                type.methods().stream()
                        .map(method -> method.methodName().stringValue())
                        .filter(CALLED::contains)
                        .toList();
        known.put(
                type.thisClass().asInternalName(),
                new Known(above, type.flags().has(AccessFlag.PUBLIC), called));
    }
}
