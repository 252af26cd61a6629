package org.ibidem;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// What the written pages keep to: links lead somewhere, and what they name is there.
class PagesTest {
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
    private static final Pattern CODE = Pattern.compile("(?s)```.*?```|`[^`\\n]*`");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.*?) *$");
    private static final Pattern NO_ANCHOR = Pattern.compile("[^\\p{L}\\p{N} _-]");
    private static final Pattern SCHEME = Pattern.compile("[a-z][a-z0-9+.-]*:.*");
    private static final Pattern SOURCE =
            Pattern.compile("`((?:core|hub|cli|lab|apps|docs|bin)/[\\w./-]+\\.\\w+)`");

    private static final Pattern VECTORS_OF =
            Pattern.compile("# Test vectors of (docs/wire/[\\w-]+\\.md), version (\\d+)");

    private static List<Path> pages() throws IOException {
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

    private static List<Path> vectors() throws IOException {
        return SourcesTest.files(path -> path.toString().contains("/src/test/resources/wire/"));
    }
}
