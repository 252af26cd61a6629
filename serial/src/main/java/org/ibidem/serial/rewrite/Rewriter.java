package org.ibidem.serial.rewrite;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Rewrites serializable classes, in folders, jars and single files.
///
/// A class gets methods and constructors that write and read its objects; they give the same bytes
/// as the code that is else generated at run time, assign final fields without reflection, and let
/// a process begin faster. Its serialVersionUID stays, and so does all else. A class that cannot be
/// rewritten is left as it is. Rewriting twice changes nothing.
///
/// ```java
/// for (var verdict : new Rewriter(List.of()).rewrite(List.of(Path.of("target/classes")))) {
///     System.out.println(verdict);
/// }
/// ```
///
/// Classes are loaded to look at them, and never initialized.
public final class Rewriter {
    private final List<Path> classPath;

    /// @param classPath folders and jars with classes that those to be rewritten know; Ibidem's own
    ///   and the JDK's are known anyway
    public Rewriter(List<Path> classPath) {
        this.classPath = List.copyOf(classPath);
    }

    /// Rewrites classes where they are.
    ///
    /// @param places folders, jars and class files, looked at together: a class and its superclass
    ///   may be in two of them
    /// @return what became of each class that is serializable, in the order found
    /// @throws IOException when a place is not there or cannot be read or written
    public List<Verdict> rewrite(List<Path> places) throws IOException {
        var open = new ArrayList<Place>();
        try {
            for (var path : places) {
                open.add(Place.open(path));
            }
            var files = open.stream().flatMap(place -> place.files().stream()).toList();
            try (var pool = new Pool(files, classPath)) {
                return rewrite(files, pool);
            }
        } finally {
            for (var place : open) {
                place.close();
            }
        }
    }

    private static List<Verdict> rewrite(List<Found> files, Pool pool) throws IOException {
        var judge = new Judge(pool);
        var verdicts = new ArrayList<Verdict>();
        for (var file : files) {
            if (isCandidate(file, pool)) {
                verdicts.add(one(file, judge, pool));
            }
        }
        return verdicts;
    }

    private static boolean isCandidate(Found file, Pool pool) {
        try {
            var type = pool.type(file.code().name());
            return Serializable.class.isAssignableFrom(type) && !type.isInterface();
        } catch (ClassNotFoundException | LinkageError | SecurityException _) {
            return false; // a superclass is missing: nothing can be said of it
        }
    }

    private static Verdict one(Found file, Judge judge, Pool pool) throws IOException {
        var name = file.code().name();
        try {
            var type = pool.type(name);
            var why = file.problem() == null ? judge.problem(type) : file.problem();
            if (why != null) {
                return Verdict.left(name, why);
            }
            var hierarchy = judge.hierarchy(type);
            if (file.code().isRewritten(hierarchy)) {
                return new Verdict(name, Verdict.Kind.AS_BEFORE, "");
            }
            file.write(file.code().rewritten(hierarchy, judge.version(type), pool));
            return new Verdict(name, Verdict.Kind.REWRITTEN, "");
        } catch (ClassNotFoundException | LinkageError e) {
            return Verdict.left(name, "a class that it knows is not on the class path: " + e);
        } catch (IllegalArgumentException e) {
            return Verdict.left(name, "its code cannot be worked on: " + e.getMessage());
        }
    }
}
