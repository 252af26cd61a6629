package org.ibidem.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What the written pages keep to: links lead somewhere, and what they name is there.
class PagesTest {
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
    private static final Pattern CODE = Pattern.compile("(?s)```.*?```|`[^`\\n]*`");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.*?) *$");
    private static final Pattern NO_ANCHOR = Pattern.compile("[^\\p{L}\\p{N} _-]");
    private static final Pattern SCHEME = Pattern.compile("[a-z][a-z0-9+.-]*:.*");
    private static final Pattern SOURCE =
            Pattern.compile(
                    "`((?:base|serial|transport|node|core|hub|cli|lab|apps|examples|docs|bin)/[\\w./-]+\\.\\w+)`");

    private static final Pattern VECTORS_OF =
            Pattern.compile("# Test vectors of (docs/wire/[\\w-]+\\.md), version (\\d+)");

    private static final Pattern TRIED =
            Pattern.compile("/wire/(\\w+)\\.txt`, tried by `(\\w+Test(?:` and `\\w+Test)*)`");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```.*?^```");

    /// A field with its size or its name between two bars, as in `| length u32 |`, or at the end.
    private static final Pattern FIELDS = Pattern.compile("\\|[^|\\n]*\\w[^|\\n]*(\\||\\n)");

    /// Months, times of day, and words for them.
    private static final Pattern DIARY =
            Pattern.compile(
                    "\\b(January|February|March|April|June|July|August|September|October|November"
                            + "|December|yesterday)\\b|\\b\\d{1,2} May\\b|\\bMay \\d"
                            + "|(?<![\\d.:])([01]?\\d|2[0-3]):[0-5]\\d(?![\\d:])"
                            + "|\\b(this|that|the|next) (morning|noon|afternoon|evening|night"
                            + "|day before)\\b");

    /// A layer with one below it, or one below another; an arrow is none.
    private static final Pattern LAYER =
            Pattern.compile("([a-z][\\w-]*)(?:\\([^()`]*\\))? (?=> [a-z])|(?<!-)> ([a-z][\\w-]*)");

    /// Names that are also looked for alone, since drivers and filters will have them.
    private static final Pattern ALONE =
            Pattern.compile("(parallel|tls|compress|udp|verbs|ucx)(?:\\(.*\\))?");

    private static final Pattern CODE_NAME = Pattern.compile("`([^`]+)`");
    private static final Pattern INSIDE = Pattern.compile("\"[^\"]*\"|\\([^()]*\\)");
    private static final Pattern NAME = Pattern.compile("[A-Za-z]\\w*(\\.[A-Za-z]\\w*)*");

    /// What the page of the architecture names of the JDK.
    private static final Set<String> JDK =
            Set.of(
                    "IOException",
                    "IllegalArgumentException",
                    "IllegalStateException",
                    "SocketChannel");

    private static List<Path> pages() {
        return SourcesTest.files(path -> path.toString().endsWith(".md"));
    }

    @Test
    void every_link_leads_to_a_file_and_to_a_heading_in_it() throws IOException {
        var wrong = new ArrayList<String>();
        for (var page : pages()) {
            var text = CODE.matcher(Files.readString(page)).replaceAll("");
            for (var link : LINK.matcher(text).results().map(m -> m.group(1)).toList()) {
                if (!SCHEME.matcher(link).matches() && !leadsSomewhere(page, link)) {
                    wrong.add(SourcesTest.TREE.relativize(page) + ": " + link);
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    private static boolean leadsSomewhere(Path page, String link) throws IOException {
        int hash = link.indexOf('#');
        var path = hash < 0 ? link : link.substring(0, hash);
        var target = path.isEmpty() ? page : page.resolveSibling(path).normalize();
        return target.startsWith(SourcesTest.TREE)
                && Files.exists(target)
                && (hash < 0 || anchors(target).contains(link.substring(hash + 1)));
    }

    /// As they are made of headings where the pages are shown.
    private static Set<String> anchors(Path page) throws IOException {
        return HEADING.matcher(Files.readString(page))
                .results()
                .map(m -> NO_ANCHOR.matcher(m.group(1).toLowerCase(Locale.ROOT)).replaceAll(""))
                .map(heading -> heading.replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    @Test
    void every_file_of_the_tree_that_a_page_names_is_there() throws IOException {
        var missing = new ArrayList<String>();
        for (var page : pages()) {
            SOURCE.matcher(Files.readString(page))
                    .results()
                    .map(m -> m.group(1))
                    .filter(name -> !Files.exists(SourcesTest.TREE.resolve(name)))
                    .forEach(name -> missing.add(SourcesTest.TREE.relativize(page) + ": " + name));
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void every_page_of_the_documentation_can_be_found_from_its_first() throws IOException {
        var index = Files.readString(SourcesTest.TREE.resolve("docs/README.md"));
        var lost = new TreeSet<String>();
        for (var page : pages()) {
            var name = SourcesTest.TREE.resolve("docs").relativize(page).toString();
            boolean wire = name.startsWith("wire/");
            if (!name.startsWith("..") && !name.equals("README.md") && !wire) {
                if (!index.contains("(" + name + ")")) {
                    lost.add(name);
                }
            }
        }
        assertThat(lost).isEmpty();
    }

    /// A vector that no page tells of would be a format that only a test knows.
    @Test
    void every_file_of_vectors_and_the_page_of_its_format_name_each_other() throws IOException {
        var named = new TreeSet<String>();
        for (var file : vectors()) {
            var page = VECTORS_OF.matcher(Files.readString(file));
            if (page.find()) {
                var text = Files.readString(SourcesTest.TREE.resolve(page.group(1)));
                assertThat(text).contains("`" + SourcesTest.TREE.relativize(file));
                assertThat(text)
                        .as(page.group(1) + " and its vectors are of one version")
                        .containsIgnoringCase("version " + page.group(2));
                named.add(page.group(1));
            }
        }
        try (var all = Files.list(SourcesTest.TREE.resolve("docs/wire"))) {
            assertThat(all.map(page -> SourcesTest.TREE.relativize(page).toString()))
                    .as("pages of formats; each has its vectors")
                    .isNotEmpty()
                    .allMatch(named::contains);
        }
    }

    /// Where each byte is, the vectors that show it, and the test that holds the code to them.
    @Test
    @Tag("slow")
    void every_page_of_a_format_draws_its_bytes_and_names_the_test_of_its_vectors()
            throws IOException {
        try (var all = Files.list(SourcesTest.TREE.resolve("docs/wire"))) {
            for (var page : all.toList()) {
                var text = Files.readString(page);
                assertThat(BLOCK.matcher(text).results().map(MatchResult::group))
                        .as("diagrams of bytes in %s", page.getFileName())
                        .anyMatch(block -> FIELDS.matcher(block).find());
                var named = TRIED.matcher(text);
                assertThat(named.find())
                        .as("%s: `FILE of vectors`, tried by `TEST`", page.getFileName())
                        .isTrue();
                for (var test : named.group(2).split("` and `", -1)) {
                    assertThat(readsVectors(test, named.group(1)))
                            .as("%s: %s reads %s", page.getFileName(), test, named.group(1))
                            .isTrue();
                }
            }
        }
        assertThat(readsVectors("PagesTest", "ring")).as("a test of the test").isFalse();
    }

    private static boolean readsVectors(String test, String name) throws IOException {
        for (var file : SourcesTest.files(p -> p.endsWith(test + ".java"))) {
            var text = Files.readString(file);
            if (text.contains("Vectors.read(\"" + name + "\")")
                    || text.contains("\"/wire/" + name + ".txt\"")) {
                return true;
            }
        }
        return false;
    }

    private static List<Path> vectors() {
        return SourcesTest.files(path -> path.toString().contains("/src/main/resources/wire/"));
    }

    /// What is claimed to hold is shown by a test, or it says that it does not hold.
    @Test
    @Tag("slow")
    void every_claim_of_security_names_a_test_that_there_is() throws IOException {
        var page = Files.readString(SourcesTest.TREE.resolve("docs/security.md"));
        var rows = page.lines().filter(line -> line.matches("\\| [^|]+ \\|.*")).toList();
        assertThat(rows).hasSizeGreaterThan(30);
        for (var row : rows) {
            var cells = row.split("\\|", -1);
            var shown = cells[3];
            var named =
                    Pattern.compile("`(\\w+Test)(?:\\.(\\w+))?`").matcher(shown).results().toList();
            if (named.isEmpty() && !shown.equals(" shown by ")) {
                assertThat(cells[2]).as(row).containsAnyOf("**", "fresh key");
            }
            for (var test : named) {
                var file = "/" + test.group(1) + ".java";
                var text = new StringBuilder();
                for (var each : SourcesTest.files(path -> path.toString().endsWith(file))) {
                    text.append(Files.readString(each));
                }
                assertThat(text.toString())
                        .as("%s", test.group())
                        .contains(test.group(2) == null ? "class" : "void " + test.group(2) + "(");
            }
        }
    }

    /// Whoever carries a program over looks for the names that the page promises.
    @Test
    @Tag("slow")
    void every_name_of_ours_on_the_pages_for_programs_of_others_exists() throws IOException {
        var sources = mainSources();
        var ours = namesOf(Files.readString(SourcesTest.TREE.resolve("docs/ibis.md")));
        assertThat(ours).hasSizeGreaterThan(100);
        ours.addAll(
                namesOf(Files.readString(SourcesTest.TREE.resolve("docs/guide/coming-from.md"))));
        assertThat(ours.stream().filter(name -> !isDeclared(name, sources))).isEmpty();
        assertThat(List.of("SendPort.receive", "UNRELIABLE", "SendPortal", "receiving"))
                .as("a test of the test")
                .noneMatch(name -> isDeclared(name, sources));
    }

    @Test
    @Tag("slow")
    void every_class_that_the_architecture_names_exists() throws IOException {
        var sources = mainSources();
        var page = Files.readString(SourcesTest.TREE.resolve("docs/architecture.md"));
        var named =
                CODE_NAME
                        .matcher(BLOCK.matcher(page).replaceAll(""))
                        .results()
                        .map(m -> outside(m.group(1)))
                        .filter(code -> code.matches("[A-Z][a-z]\\w+(\\.\\w+)*"))
                        .filter(code -> !code.endsWith("Test") && !JDK.contains(code))
                        .toList();
        assertThat(named).hasSizeGreaterThan(60);
        assertThat(named.stream().filter(name -> !isDeclared(name, sources))).isEmpty();
    }

    private static List<String> mainSources() throws IOException {
        var sources = new ArrayList<String>();
        for (var file : SourcesTest.files(p -> p.toString().endsWith(".java"))) {
            if (SourcesTest.isMain(file)) {
                sources.add(Files.readString(file));
            }
        }
        return sources;
    }

    @Test
    void every_program_carried_over_from_ibis_is_on_that_page() throws IOException {
        var page = Files.readString(SourcesTest.TREE.resolve("docs/ibis.md"));
        var programs = SourcesTest.files(p -> p.toString().matches(".*/apps/ibis/\\w+Test.java"));
        assertThat(programs).hasSizeGreaterThan(10);
        assertThat(
                        programs.stream()
                                .map(program -> "/" + program.getFileName() + ")")
                                .filter(link -> !page.contains(link)))
                .isEmpty();
    }

    private static Stream<Path> ofDecisions() {
        return pages().stream()
                .filter(page -> {
                    var name = SourcesTest.TREE.relativize(page).toString();
                    return name.startsWith("docs/design/") || name.startsWith("docs/bench/");
                });
    }

    /// Tables may be as wide as what they hold.
    @Test
    void pages_of_decisions_and_figures_have_at_most_250_lines_and_those_can_be_read()
            throws IOException {
        var wrong = new ArrayList<String>();
        for (var page : ofDecisions().toList()) {
            var lines = Files.readAllLines(page);
            if (lines.size() > 250) {
                wrong.add(page.getFileName() + " has " + lines.size());
            }
            lines.stream()
                    .filter(line -> line.length() > 140 && !line.startsWith("|"))
                    .forEach(line -> wrong.add(page.getFileName() + ": " + line));
        }
        assertThat(wrong).isEmpty();
    }

    /// What was measured when is in git; a page says what is so.
    @Test
    void pages_tell_no_dates_and_no_times_of_day() throws IOException {
        var wrong = new ArrayList<String>();
        for (var page : pages()) {
            if (!page.startsWith(SourcesTest.TREE.resolve("docs"))) {
                continue;
            }
            Files.readString(page)
                    .lines()
                    .filter(line -> DIARY.matcher(line).find())
                    .forEach(line -> wrong.add(page.getFileName() + ": " + line));
        }
        assertThat(wrong).isEmpty();
        assertThat(List.of("24 November", "in May 2026", "until 04:52 UTC", "the night to it"))
                .as("a test of the test")
                .allMatch(line -> DIARY.matcher(line).find());
        assertThat(List.of("they may", "198.18.1.11:4465", "2001:db8::10:20", "may be 3:1"))
                .noneMatch(line -> DIARY.matcher(line).find());
    }

    /// Whoever copies a stack from a page or from Javadoc must not be told that there is no such.
    @Test
    void a_driver_or_filter_that_is_named_exists_or_is_said_to_be_to_come() throws IOException {
        var known = new TreeSet<>(Set.of("auto", "multi"));
        for (var room :
                List.of(
                        "transport/src/main/java/org/ibidem/link",
                        "transport/src/main/java/org/ibidem/filter",
                        "lab/src/main/java/org/ibidem/lab/fault")) {
            try (var folders = Files.list(SourcesTest.TREE.resolve(room))) {
                folders.filter(Files::isDirectory)
                        .forEach(folder -> known.add(folder.getFileName().toString()));
            }
        }
        var wrong = new ArrayList<String>();
        for (var file :
                SourcesTest.files(p -> p.toString().endsWith(".md") || SourcesTest.isMain(p))) {
            boolean page = file.toString().endsWith(".md");
            try (var lines = Files.lines(file)) {
                lines.filter(line -> line.indexOf('`') >= 0)
                        .filter(line -> page || line.stripLeading().startsWith("//"))
                        .filter(line -> !known.containsAll(stacked(line)))
                        .forEach(
                                line -> wrong.add(SourcesTest.TREE.relativize(file) + ": " + line));
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(stacked("`checksum > tls(x=1) > nothing`, `parallel(4)`, `a + b`"))
                .as("a test of the test")
                .containsOnly("checksum", "tls", "nothing", "parallel");
        assertThat(stacked("`tls > tcp`, to come")).isEmpty();
    }

    /// The drivers and filters in code of a line, unless that says that they are to come.
    private static Set<String> stacked(String line) {
        var names = new TreeSet<String>();
        if (!line.contains("to come")) {
            CODE_NAME
                    .matcher(line)
                    .results()
                    .map(m -> m.group(1))
                    .forEach(code -> {
                        LAYER.matcher(code)
                                .results()
                                .forEach(m ->
                                        names.add(m.group(1) == null ? m.group(2) : m.group(1)));
                        var alone = ALONE.matcher(code);
                        if (alone.matches()) {
                            names.add(alone.group(1));
                        }
                    });
        }
        return names;
    }

    /// The names in code of the second columns, without what is in quotes or parentheses.
    private static Set<String> namesOf(String page) {
        var names = new TreeSet<String>();
        for (var row : page.lines().filter(line -> line.startsWith("| ")).toList()) {
            var second = row.split("(?<!\\\\)\\|", -1)[2];
            CODE_NAME
                    .matcher(second)
                    .results()
                    .map(m -> m.group(1))
                    .filter(code -> !code.startsWith("ibidem ") && !code.startsWith("--"))
                    .filter(code -> !code.contains("/"))
                    .forEach(code ->
                            NAME.matcher(outside(code))
                                    .results()
                                    .forEach(m -> names.add(m.group())));
        }
        return names;
    }

    private static String outside(String code) {
        var bare = INSIDE.matcher(code).replaceAll("");
        return bare.equals(code) ? code.replace("…", ".") : outside(bare);
    }

    /// Of `Type.member` the member is looked for in the type, of `call.call` each anywhere.
    private static boolean isDeclared(String name, List<String> sources) {
        if (name.startsWith("ibidem.")) {
            return sources.stream().anyMatch(source -> source.contains('"' + name + '"'));
        }
        var parts = List.of(name.split("\\."));
        var types = sources.stream().filter(source -> declares(source, parts.getFirst())).toList();
        boolean found = !types.isEmpty() || isOfTheJdk(parts.getFirst());
        for (var part : parts.subList(1, parts.size())) {
            boolean inType = part.equals(parts.get(1)) && parts.getFirst().matches("[A-Z].*");
            found &= (inType ? types : sources).stream().anyMatch(one -> declares(one, part));
        }
        return found;
    }

    private static boolean declares(String source, String name) {
        if (!source.contains(name)) {
            return false; // at a hundredth of the price
        }
        var declared =
                name.equals(name.toUpperCase(Locale.ROOT))
                        ? "(?m)^ +" + name + "(\\(.*\\))?([,;]|$)"
                        : Character.isUpperCase(name.charAt(0))
                                ? "\\b(class|record|interface|enum) " + name + "\\b"
                                : "[\\w>\\]] " + name + "\\(|\"" + name + "\"";
        return Pattern.compile(declared).matcher(source).find();
    }

    private static boolean isOfTheJdk(String type) {
        return Stream.of("java.lang.", "java.lang.foreign.")
                .anyMatch(room -> {
                    try {
                        return Class.forName(room + type) != null;
                    } catch (ClassNotFoundException e) {
                        return false;
                    }
                });
    }
}
