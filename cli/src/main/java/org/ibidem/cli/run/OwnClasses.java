package org.ibidem.cli.run;

import java.util.List;

/// Where the classes of a program itself are, which its processes take objects of: in the folder or
/// jar of its main class.
final class OwnClasses {
    private OwnClasses() {}

    /// What tells a process so; nothing when the main class is in none of the places.
    ///
    /// @param setting that names the place
    static List<String> option(String setting, String main, String classPath) {
        return ClassPath.parse(classPath).place(main.replace('.', '/') + ".class").stream()
                .map(place -> "-D" + setting + "=" + place)
                .toList();
    }
}
