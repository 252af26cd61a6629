package org.ibidem.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// What a program may depend on has its version in the BOM.
class PublishedTest {
    private static final Pattern MODULE = Pattern.compile("<module>([a-z]+)</module>");
    private static final Pattern ARTIFACT =
            Pattern.compile("<artifactId>(ibidem-(?!parent<)[a-z-]+)</artifactId>");

    /// The BOM itself; what is run and not compiled against: the applications, the command, the
    /// plugin.
    private static final Set<String> NO_LIBRARIES = Set.of("bom", "apps", "cli", "maven");

    private static String pom(String module) throws IOException {
        return Files.readString(SourcesTest.TREE.resolve(module).resolve("pom.xml"));
    }

    private static List<String> all(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(found -> found.group(1)).toList();
    }

    @Test
    void the_bom_has_all_libraries_that_are_published_and_nothing_else() throws IOException {
        var bom = pom("bom");
        var managed = bom.substring(bom.indexOf("<dependencyManagement>"));
        var published = new ArrayList<String>();
        for (var module : all(MODULE, pom("."))) {
            var its = pom(module);
            if (!NO_LIBRARIES.contains(module)
                    && !its.contains("<maven.deploy.skip>true</maven.deploy.skip>")) {
                published.add(all(ARTIFACT, its).getFirst());
            }
        }
        assertThat(published).contains("ibidem-base", "ibidem-authority", "ibidem-wrap");
        assertThat(all(ARTIFACT, managed)).containsExactlyInAnyOrderElementsOf(published);
    }
}
