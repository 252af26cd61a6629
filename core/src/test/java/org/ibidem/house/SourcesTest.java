package org.ibidem.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExportsTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import javax.lang.model.element.Modifier;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What the sources of all modules keep to: sizes, documentation, who prints. They are parsed, not
/// compiled, so reading the whole tree takes about a second.
class SourcesTest {
    static final int FILE_LINES = 500;
    static final int METHOD_LINES = 50;
    static final int PAGE_LINES = 40;

    /// What exists on somebody's machine only.
    static final Pattern MACHINE_PATH = Pattern.compile("(?<![\\w.])/(?:work|home|root|Users)/\\w");

    private static final Pattern MAIN = Pattern.compile("\\bsrc.main.java\\b");

    static final Set<String> UNSEEN = Set.of(".git", "target", "dist", ".lab", ".idea", ".vscode");

    static final Pattern TIME_OF_DAY =
            Pattern.compile(
                    "currentTimeMillis|Instant\\.now|Clock\\.system|new Date\\(\\)|Local\\w+\\.now");

    static final Pattern EXPORTS = Pattern.compile("(?m)^ *exports [\\w.]+;");

    static final Pattern DOCUMENTED = Pattern.compile("documented='([^']*)'");

    static final Pattern MEMORY_SET = Pattern.compile("(?<!this)\\.memory = ");

    static final Path TREE = Path.of("..").toAbsolutePath().normalize();

    static final List<Path> SOURCES = new ArrayList<>();
    static final Set<String> EXPORTED = new HashSet<>();
    static final List<String> LONG_METHODS = new ArrayList<>();
    static final List<String> UNDOCUMENTED = new ArrayList<>();
    static final List<String> PRINTING = new ArrayList<>();

    @BeforeAll
    static void readTheTree() throws IOException {
        SOURCES.addAll(files(p -> p.toString().endsWith(".java")));
        var compiler = ToolProvider.getSystemJavaCompiler();
        try (var manager = compiler.getStandardFileManager(null, null, null)) {
            var objects = manager.getJavaFileObjectsFromPaths(SOURCES);
            var task = (JavacTask) compiler.getTask(null, manager, _ -> {}, null, null, objects);
            var units = new ArrayList<CompilationUnitTree>();
            task.parse().forEach(units::add);
            units.forEach(SourcesTest::noteExports);
            units.forEach(unit -> new Reader(unit, DocTrees.instance(task)).scan(unit, null));
        }
    }

    /// The files of the tree, but for what is built and what belongs to tools: looked for once, and
    /// not where they are not wanted, which holds most of them.
    private static final class Seen extends SimpleFileVisitor<Path> {
        static final List<Path> FILES = new ArrayList<>();

        static {
            try {
                Files.walkFileTree(TREE, new Seen());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            boolean unseen = UNSEEN.contains(folder.getFileName().toString());
            return unseen && !folder.equals(TREE)
                    ? FileVisitResult.SKIP_SUBTREE
                    : FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (Files.isRegularFile(file)) { // or a link to one
                FILES.add(file);
            }
            return FileVisitResult.CONTINUE;
        }
    }

    /// Of the files of the tree those that are wanted.
    static List<Path> files(Predicate<Path> wanted) {
        return Seen.FILES.stream().filter(wanted).toList();
    }

    static void noteExports(CompilationUnitTree unit) {
        if (unit.getModule() != null) {
            for (var directive : unit.getModule().getDirectives()) {
                if (directive instanceof ExportsTree exports) {
                    EXPORTED.add(exports.getPackageName().toString());
                }
            }
        }
    }

    static boolean isMain(Path file) {
        return MAIN.matcher(file.toString()).find()
                && !file.startsWith(TREE.resolve("examples")); // programs, as users write them
    }

    @Test
    void files_are_short() throws IOException {
        var tooLong = new ArrayList<String>();
        for (var file : SOURCES) {
            var lines = Files.readAllLines(file).size();
            if (lines > (file.endsWith("package-info.java") ? PAGE_LINES : FILE_LINES)) {
                tooLong.add(TREE.relativize(file) + ": " + lines + " lines");
            }
        }
        assertThat(tooLong)
                .as("files over %d lines, pages over %d", FILE_LINES, PAGE_LINES)
                .isEmpty();
    }

    @Test
    void methods_are_short() {
        assertThat(LONG_METHODS).as("methods over %d lines", METHOD_LINES).isEmpty();
    }

    @Test
    void what_is_exported_is_documented() {
        assertThat(UNDOCUMENTED).isEmpty();
    }

    @Test
    void core_what_it_stands_on_and_the_hub_do_not_print() {
        assertThat(PRINTING).isEmpty();
    }

    /// So a clock that is set, or runs wrong, changes nothing: limits and waits go by
    /// `System.nanoTime`.
    @Test
    void what_communicates_does_not_ask_for_the_time_of_day() throws IOException {
        var asking = new ArrayList<Path>();
        for (var file : SOURCES) {
            var module = TREE.relativize(file).getName(0).toString();
            if (isMain(file)
                    && Set.of("base", "serial", "transport", "node", "core", "hub", "cli")
                            .contains(module)
                    && TIME_OF_DAY.matcher(Files.readString(file)).find()) {
                asking.add(TREE.relativize(file));
            }
        }
        assertThat(asking).isEmpty();
    }

    /// Else a frame may not know that its memory is of a file, which has to be copied before it is
    /// summed up.
    @Test
    void only_a_frame_sets_its_memory() throws IOException {
        var setting = new ArrayList<Path>();
        for (var file : SOURCES) {
            if (isMain(file) && MEMORY_SET.matcher(Files.readString(file)).find()) {
                setting.add(TREE.relativize(file));
            }
        }
        assertThat(setting).isEmpty();
    }

    @Test
    void every_room_has_its_page() {
        var rooms = SOURCES.stream().filter(SourcesTest::isMain).map(Path::getParent);
        assertThat(rooms.filter(room -> !room.endsWith("java")).distinct())
                .allSatisfy(room -> assertThat(room.resolve("package-info.java")).exists());
    }

    @Test
    void every_module_that_exports_is_one_of_those_that_ibidem_docs_documents() throws IOException {
        var exporting =
                SOURCES.stream()
                        .filter(file -> isMain(file) && file.endsWith("module-info.java"))
                        .filter(file -> EXPORTS.matcher(text(file)).find())
                        .map(file -> TREE.relativize(file).getName(0).toString());
        var listed = DOCUMENTED.matcher(Files.readString(TREE.resolve("bin/docs.sh")));
        assertThat(listed.find()).isTrue();
        assertThat(exporting).containsExactlyInAnyOrder(listed.group(1).split(" ", -1));
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    @Tag("slow")
    void nothing_names_a_place_on_one_machine() throws IOException {
        var text = Pattern.compile(".*(\\.(java|md|xml|sh|config)|/ibidem|/bench|/run)");
        var found = new ArrayList<String>();
        for (var file : files(p -> text.matcher(p.toString()).matches())) {
            for (var line : Files.readAllLines(file)) {
                if (MACHINE_PATH.matcher(line).find()) {
                    found.add(TREE.relativize(file) + ": " + line.strip());
                }
            }
        }
        assertThat(found).isEmpty();
    }

    /// The machine's own Maven builds, from where that is told to load.
    @Test
    void the_tree_holds_no_wrapper_and_names_no_registry() throws IOException {
        var wrapper = Pattern.compile(".*/(mvnw(\\.cmd)?|maven-wrapper\\..*|MavenWrapper.*)");
        assertThat(files(path -> wrapper.matcher(path.toString()).matches())).isEmpty();
        for (var file : files(path -> path.toString().matches(".*/pom.xml|.*/\\.mvn/.*"))) {
            assertThat(Files.readString(file))
                    .as("%s", TREE.relativize(file))
                    .doesNotContain("<repository>", "<pluginRepository>", "distributionUrl");
        }
    }

    /// Reads one file and notes what it finds.
    static final class Reader extends TreePathScanner<Void, Void> {
        private final CompilationUnitTree unit;
        private final DocTrees trees;
        private final Path file;
        private final boolean main;

        Reader(CompilationUnitTree unit, DocTrees trees) {
            this.unit = unit;
            this.trees = trees;
            file = TREE.relativize(Path.of(unit.getSourceFile().toUri()));
            main = isMain(file);
        }

        @Override
        public Void visitClass(ClassTree type, Void unused) {
            wantDocumentation(type.getSimpleName().toString());
            return super.visitClass(type, null);
        }

        @Override
        public Void visitMethod(MethodTree method, Void unused) {
            var first = trees.getSourcePositions().getStartPosition(unit, method);
            var last = trees.getSourcePositions().getEndPosition(unit, method);
            var map = unit.getLineMap();
            var lines = last < 0 ? 0 : map.getLineNumber(last) - map.getLineNumber(first) + 1;
            if (lines > METHOD_LINES) {
                LONG_METHODS.add(file + " " + method.getName() + ": " + lines + " lines");
            }
            if (!inherits(method)) {
                wantDocumentation(method.getName().toString());
            }
            return super.visitMethod(method, null);
        }

        @Override
        public Void visitMemberSelect(MemberSelectTree select, Void unused) {
            if (isSilent() && select.toString().matches("System\\.(out|err)")) {
                PRINTING.add(file.toString());
            }
            return super.visitMemberSelect(select, null);
        }

        private boolean isSilent() {
            return main
                    && Set.of("base", "serial", "transport", "node", "core", "hub")
                            .contains(file.getName(0).toString());
        }

        private void wantDocumentation(String name) {
            if (main
                    && EXPORTED.contains(String.valueOf(unit.getPackageName()))
                    && isVisible(getCurrentPath())
                    && trees.getDocComment(getCurrentPath()) == null) {
                UNDOCUMENTED.add(file + " " + name);
            }
        }

        /// Does it take its documentation from elsewhere: from what it overrides, or its record?
        private boolean inherits(MethodTree method) {
            var owner = getCurrentPath().getParentPath().getLeaf();
            return method.getModifiers().getAnnotations().stream()
                            .anyMatch(a -> a.getAnnotationType().toString().equals("Override"))
                    || (owner.getKind() == Tree.Kind.RECORD && method.getReturnType() == null);
        }

        /// Public, as everything around it is; members of interfaces are so without saying it.
        private static boolean isVisible(TreePath path) {
            for (var p = path; p.getParentPath() != null; p = p.getParentPath()) {
                var flags =
                        switch (p.getLeaf()) {
                            case ClassTree type -> type.getModifiers();
                            case MethodTree method -> method.getModifiers();
                            default -> null;
                        };
                if (flags == null || !isPublic(flags, p.getParentPath().getLeaf())) {
                    return false;
                }
            }
            return true;
        }

        private static boolean isPublic(ModifiersTree modifiers, Tree owner) {
            var flags = modifiers.getFlags();
            return flags.contains(Modifier.PUBLIC)
                    || (owner.getKind() == Tree.Kind.INTERFACE
                            && !flags.contains(Modifier.PRIVATE));
        }
    }
}
