package org.ibidem.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// A class that was moved or renamed is still named in strings, scripts and pages, which no
/// compiler reads.
class NamesTest {
    private static final Pattern NAMED =
            Pattern.compile("\\borg\\.ibidem(\\.[a-z]\\w*)*\\.[A-Z]\\w*");
    private static final Pattern TEXT =
            Pattern.compile(".*(\\.(java|md|sh|xml|gradle|txt|c)|/ibidem|/bench|/run)");

    /// Classes that tests compile to break a rule, and what stands for any name.
    private static final Pattern MADE_UP =
            Pattern.compile("org\\.ibidem\\.(\\w+\\.)*(Bad|Good|Worse|Other|NAME)");

    @Test
    void every_class_that_is_named_in_full_is_there() throws IOException {
        var known = known();
        var lost = new TreeSet<String>();
        for (var file : SourcesTest.files(path -> TEXT.matcher(path.toString()).matches())) {
            NAMED.matcher(Files.readString(file))
                    .results()
                    .map(MatchResult::group)
                    .filter(name -> !known.contains(name) && !MADE_UP.matcher(name).matches())
                    .forEach(name -> lost.add(SourcesTest.TREE.relativize(file) + ": " + name));
        }
        assertThat(lost).isEmpty();
        assertThat(known).hasSizeGreaterThan(1000).contains(NamesTest.class.getName());
    }

    private static Set<String> known() {
        return SourcesTest.files(path -> path.toString().endsWith(".java")).stream()
                .map(NamesTest::name)
                .collect(Collectors.toSet());
    }

    private static String name(Path file) {
        var path = file.toString().replaceFirst(".*/java/(.*)\\.java$", "$1");
        return path.replace('/', '.');
    }
}
