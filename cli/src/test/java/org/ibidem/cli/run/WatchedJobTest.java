package org.ibidem.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.imageio.ImageIO;
import org.ibidem.hub.Hub;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// `ibidem watch sor`: real processes compute, one more shows their field on a page.
@Tag("lab")
@Isolated("starts processes, of which some are stopped and killed")
@Timeout(180)
class WatchedJobTest {
    private static final int SIZE = 96;

    /// Iterations that take longer than a picture.
    private static final int STEPS = 1000;

    @TempDir Path folder;

    private final Hub hub = Hub.start(Hub.Options.DEFAULT.port(0));
    private final HttpClient client = HttpClient.newHttpClient();

    /// What a browser gets.
    private record Picture(long number, int step, boolean over, BufferedImage image) {}

    @AfterEach
    void close() {
        client.close();
        hub.close();
    }

    private Launched job(String iterations, String... more) throws IOException {
        var words =
                ("-n 2 --hub localhost:%d --pool heat sor --size %d --no-check --iterations %s "
                                + String.join(" ", more))
                        .formatted(hub.port(), SIZE, iterations)
                        .strip();
        return Launched.run(folder, words.split(" ", -1));
    }

    private Launched watcher(String... more) throws IOException {
        var words =
                new ArrayList<>(
                        List.of("sor", "--hub", "localhost:" + hub.port(), "--pool", "heat"));
        words.addAll(List.of(more));
        return Launched.tool(folder, "watch", words.toArray(String[]::new));
    }

    private static String page(Launched watcher) throws IOException {
        var line = watcher.line();
        assertThat(line).as(watcher.errors()).startsWith("sor is shown at http://localhost:");
        return line.substring(line.indexOf("http"));
    }

    private Picture picture(String page, long after) throws Exception {
        while (true) {
            var ask = HttpRequest.newBuilder(URI.create(page + "field.png?after=" + after)).build();
            var reply = client.send(ask, HttpResponse.BodyHandlers.ofByteArray());
            if (reply.statusCode() != 204) {
                assertThat(reply.statusCode()).isEqualTo(200);
                return new Picture(
                        Long.parseLong(header(reply, "Ibidem-Number")),
                        Integer.parseInt(header(reply, "Ibidem-Step")),
                        Boolean.parseBoolean(header(reply, "Ibidem-Over")),
                        ImageIO.read(new ByteArrayInputStream(reply.body())));
            }
        }
    }

    private static String header(HttpResponse<?> reply, String name) {
        return reply.headers().firstValue(name).orElseThrow();
    }

    private String html(String page) throws Exception {
        var ask = HttpRequest.newBuilder(URI.create(page)).build();
        return client.send(ask, HttpResponse.BodyHandlers.ofString()).body();
    }

    /// How many pixels of one are others in the other, each so many wide there.
    private static long different(BufferedImage one, BufferedImage other, int wide) {
        long count = 0;
        for (int y = 0; y < one.getHeight(); y++) {
            for (int x = 0; x < one.getWidth(); x++) {
                count += one.getRGB(x, y) == other.getRGB(x * wide, y * wide) ? 0 : 1;
            }
        }
        return count;
    }

    private static void signal(Launched launched, String name) throws Exception {
        for (var child : launched.process().descendants().toList()) {
            new ProcessBuilder("kill", "-" + name, "" + child.pid()).start().waitFor();
        }
    }

    /// Reads what the job says until it is further than that.
    private static void awaitIteration(Launched job, int beyond) throws IOException {
        int at = 0;
        while (at <= beyond) {
            var line = job.line();
            if (line.matches(".*iteration \\d+ of .*")) {
                at = Integer.parseInt(line.replaceFirst(".*iteration (\\d+) of.*", "$1"));
            }
        }
    }

    /// A large plate, of which the first iterations can be seen: heat spreads from the cells whose
    /// temperature is fixed. The last picture is the field that the job itself writes. The watcher
    /// is there before the job.
    @Test
    void the_page_shows_the_field_as_it_runs_and_at_its_end() throws Exception {
        var image = folder.resolve("field.png");
        var more = List.of("--size", "2048", "--rmi", "--serve", "--image", image.toString());
        try (var watcher = watcher()) {
            watcher.awaitLine("waits for a job in pool 'heat' at localhost:" + hub.port());
            try (var job = job("700", more.toArray(String[]::new))) {
                job.awaitLine("to watch it: ibidem watch sor --hub localhost:");
                var page = page(watcher);
                assertThat(html(page)).contains("<h1>sor</h1>");
                var first = picture(page, -1);
                var last = first;
                int changed = 0;
                while (!last.over) {
                    var next = picture(page, last.number);
                    assertThat(next.step).isGreaterThanOrEqualTo(last.step);
                    changed += different(last.image, next.image, 1) > 0 ? 1 : 0;
                    last = next;
                }
                assertThat(changed).isGreaterThan(3);
                assertThat(different(first.image, last.image, 1)).isGreaterThan(1000);
                job.lines();
                assertThat(job.code()).as(job.errors()).isZero();
                int cells = 2048 / last.image.getWidth();
                assertThat(different(last.image, ImageIO.read(image.toFile()), cells)).isZero();
                assertThat(watcher.lines()).containsExactly("the job has ended");
                assertThat(watcher.code()).isZero();
            }
        }
    }

    /// In a real browser, without a window: what a person sees. Each pixel of the field is a little
    /// square there, whose middle is looked at. The job stands still while the browser starts and
    /// while the first picture of the page is made.
    @Test
    void a_browser_draws_the_field_and_says_how_far_it_is() throws Exception {
        Chromium.require();
        var image = folder.resolve("field.png");
        var more = List.of("--size", "256", "--rmi", "--serve", "--image", image.toString());
        try (var watcher = watcher()) {
            watcher.awaitLine("waits for a job");
            try (var job = job("1500", more.toArray(String[]::new))) {
                job.awaitLine("to watch it");
                var page = page(watcher);
                signal(job, "STOP");
                try (var browser = Chromium.show(folder, page)) {
                    signal(job, "CONT");
                    awaitSaid(browser, "step .* of 1500, .* pictures a second");
                    signal(job, "STOP");
                    var early = Chromium.read(browser.screenshot());
                    signal(job, "CONT");
                    awaitSaid(browser, "step 1500 of 1500: the job has ended");
                    assertThat(watcher.lines()).containsExactly("the job has ended");
                    job.lines();
                    assertThat(job.code()).as(job.errors()).isZero();
                    assertThat(browser.value("document.querySelector('h1').textContent"))
                            .isEqualTo("sor");
                    var png = browser.screenshot();
                    Files.write(Path.of("target", "watched.png"), png); // for people
                    var whole = ImageIO.read(image.toFile());
                    assertThat(unlike(browser, whole, Chromium.read(png))).isZero();
                    assertThat(unlike(browser, whole, early)).isGreaterThan(100);
                }
            }
        }
    }

    /// Until the page says this below the field.
    private static void awaitSaid(Chromium browser, String like) throws InterruptedException {
        var said = "";
        while (!said.matches(like)) {
            said = "" + browser.value("document.getElementById('said').textContent");
        }
    }

    /// How many pixels of the field are others in a picture of the page.
    private static long unlike(Chromium browser, BufferedImage field, BufferedImage seen)
            throws InterruptedException {
        var place = "document.getElementById('field').getBoundingClientRect().";
        double left = (Double) browser.value(place + "left");
        double top = (Double) browser.value(place + "top");
        double wide = (Double) browser.value(place + "width") / field.getWidth();
        assertThat(wide).as("screen pixels for one of the field").isGreaterThanOrEqualTo(1);
        long count = 0;
        for (int y = 0; y < field.getHeight(); y++) {
            for (int x = 0; x < field.getWidth(); x++) {
                int across = (int) (left + (x + 0.5) * wide);
                int down = (int) (top + (y + 0.5) * wide);
                count += seen.getRGB(across, down) == field.getRGB(x, y) ? 0 : 1;
            }
        }
        return count;
    }

    @Test
    void a_watcher_that_stops_or_dies_does_not_disturb_the_job() throws Exception {
        try (var job = job("1000000", "--rmi", "--serve")) {
            job.awaitLine("to watch it");
            Picture next;
            try (var watcher = watcher()) {
                var page = page(watcher);
                var seen = picture(page, picture(page, -1).number);
                signal(watcher, "STOP");
                int later = seen.step + STEPS;
                awaitIteration(job, later);
                signal(watcher, "CONT");
                next = picture(page, seen.number);
                while (next.step < later) {
                    next = picture(page, next.number);
                }
                // It has got fewer pictures, not old ones one after the other.
                assertThat(next.number - seen.number).isLessThan(20);
                signal(watcher, "KILL");
                assertThat(watcher.process().waitFor(60, TimeUnit.SECONDS)).isTrue();
            }
            awaitIteration(job, next.step + STEPS);
            try (var another = watcher()) {
                var seen = picture(page(another), -1);
                assertThat(seen.step).isGreaterThan(next.step);
            }
            assertThat(job.process().isAlive()).isTrue();
        }
    }

    @Test
    void what_cannot_be_watched_is_said() throws Exception {
        try (var none = Launched.tool(folder, "watch", "fib")) {
            assertThat(none.code()).isEqualTo(2);
            assertThat(none.errors())
                    .contains("'fib' is no application that can be watched; known are sor");
        }
        try (var nobody = watcher("--limit", "1")) {
            assertThat(nobody.code()).isEqualTo(1);
            assertThat(nobody.lines()).singleElement().asString().contains("for 1 s (--limit)");
            assertThat(nobody.errors()).startsWith("ibidem watch: ").contains("heat");
        }
    }
}
