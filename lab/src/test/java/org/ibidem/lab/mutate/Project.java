package org.ibidem.lab.mutate;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// One module as Maven has compiled it for quick tests, with the class path that Maven has said.
///
/// @param folder of the module
record Project(Path folder) {
    private static final String BUILT = "target/unit/target";

    /// The module in which this class is, main code only.
    static Project of(String type, Path tree) throws IOException {
        var file = type.replace('.', '/') + ".class";
        try (var modules = Files.list(tree)) {
            return modules.map(Project::new)
                    .filter(project -> Files.exists(project.classes().resolve(file)))
                    .findFirst()
                    .orElseThrow(() ->
                            new IllegalArgumentException(
                                    "no module has a class " + type + ": name it in full"));
        }
    }

    Path classes() {
        return folder.resolve(BUILT).resolve("classes");
    }

    private Path tests() {
        return folder.resolve(BUILT).resolve("test-classes");
    }

    /// What its tests need, and what runs them.
    String classPath() throws IOException {
        var lab = new Project(folder.resolveSibling("lab"));
        return Stream.of(
                        classes().toString(),
                        tests().toString(),
                        Files.readString(folder.resolve("target/classpath")).strip(),
                        lab.tests().toString(),
                        Files.readString(lab.folder.resolve("target/classpath")).strip())
                .reduce((one, other) -> one + File.pathSeparator + other)
                .orElseThrow();
    }

    /// A class and those within it.
    List<Path> filesOf(String type) throws IOException {
        var file = classes().resolve(type.replace('.', '/') + ".class");
        var name = file.getFileName().toString().replace(".class", "");
        try (var files = Files.list(file.getParent())) {
            return files.filter(each -> isOf(each.getFileName().toString(), name))
                    .sorted()
                    .toList();
        }
    }

    private static boolean isOf(String file, String name) {
        return file.equals(name + ".class") || file.startsWith(name + "$");
    }

    /// The tests called after a class; else all of its package.
    List<String> nearest(String type) throws IOException {
        var folder = tests().resolve(type.replace('.', '/')).getParent();
        var simple = type.substring(type.lastIndexOf('.') + 1);
        var room = type.substring(0, type.lastIndexOf('.') + 1);
        var all = new ArrayList<String>();
        if (Files.isDirectory(folder)) {
            try (var files = Files.list(folder)) {
                files.map(file -> file.getFileName().toString())
                        .filter(name -> name.endsWith("Test.class") && !name.contains("$"))
                        .map(name -> name.replace(".class", ""))
                        .sorted()
                        .forEach(all::add);
            }
        }
        var named = all.stream().filter(name -> name.startsWith(simple)).toList();
        return (named.isEmpty() ? all : named).stream().map(name -> room + name).toList();
    }
}
