package org.ibidem.lab.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What `./ibidem docs` makes: the guide, the documentation of all that is exported, and the manual
/// pages, as a site.
@Tag("lab")
@Timeout(600)
class SiteTest {
    private static final Path TREE = Path.of("..").toAbsolutePath().normalize();
    private static final Path SITE = TREE.resolve("dist/docs");
    private static final Pattern LINK = Pattern.compile("(?:href|src)=\"([^\"#?]+)[#?\"]");
    private static final Pattern SCHEME = Pattern.compile("([a-z][a-z0-9+.-]*:|/).*");

    @TempDir Path folder;

    @Test
    @Tag("turn0")
    void it_is_made_without_a_warning_and_every_link_in_it_leads_somewhere() throws Exception {
        var builder =
                new ProcessBuilder(TREE.resolve("ibidem").toString(), "docs")
                        .redirectErrorStream(true);
        builder.environment().put("IBIDEM_JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("IBIDEM_BUILT", "1");
        var process = builder.start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        assertThat(TREE.resolve("dist/docs.log")).isEmptyFile();
        assertThat(pages(SITE)).hasSizeGreaterThan(500);
        assertThat(dead(SITE)).isEmpty();
        for (var inside :
                List.of(
                        "org.ibidem.base/org/ibidem/IbidemException.html",
                        "org.ibidem.serial/org/ibidem/serial/ObjectWriter.html",
                        "org.ibidem.core/org/ibidem/port/SendPort.html",
                        "org.ibidem.wrap/org/ibidem/wrap/package-summary.html",
                        "man/man1/ibidem-run.1")) {
            assertThat(SITE.resolve(inside)).isNotEmptyFile();
        }
        var guide = SITE.resolve("org.ibidem.core/doc-files");
        try (var sources = Files.list(TREE.resolve("docs/guide"))) {
            assertThat(sources.map(page -> page.getFileName().toString()))
                    .allSatisfy(page ->
                            assertThat(guide.resolve(named(page))).as(page).isNotEmptyFile());
        }
        assertThat(Files.readString(SITE.resolve("index.html")))
                .contains("href=\"org.ibidem.core/doc-files/hello.html\"");
    }

    private static String named(String page) {
        return page.equals("README.md") ? "guide.html" : page.replace(".md", ".html");
    }

    @Test
    void a_link_that_leads_nowhere_would_be_found() throws Exception {
        Files.createDirectories(folder.resolve("in side"));
        Files.writeString(folder.resolve("in side/there.html"), "<a href=\"../page.html#top\">");
        Files.writeString(
                folder.resolve("page.html"),
                """
                <a href="in%20side/there.html#x"><a href="https://example.org/x"><a href="#top">
                <img src="gone.png"><a href="in%20side/gone.html#x">
                """);
        assertThat(dead(folder))
                .containsExactly("page.html: gone.png", "page.html: in%20side/gone.html");
    }

    private static List<Path> pages(Path site) throws IOException {
        try (var all = Files.walk(site)) {
            return all.filter(file -> file.toString().endsWith(".html")).toList();
        }
    }

    /// The links of pages to files of the site that are not there.
    private static Set<String> dead(Path site) throws IOException {
        var dead = new TreeSet<String>();
        for (var page : pages(site)) {
            LINK.matcher(Files.readString(page))
                    .results()
                    .map(found -> found.group(1))
                    .filter(link -> !SCHEME.matcher(link).matches())
                    .filter(link -> !Files.exists(page.resolveSibling(decoded(link))))
                    .forEach(link -> dead.add(site.relativize(page) + ": " + link));
        }
        return dead;
    }

    private static String decoded(String link) {
        return URLDecoder.decode(link.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
