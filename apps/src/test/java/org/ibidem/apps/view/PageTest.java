package org.ibidem.apps.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import javax.imageio.ImageIO;
import org.ibidem.IbidemException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PageTest {
    private final Mosaic mosaic = new Mosaic(2);
    private final Page page = new Page("heat & <more>", mosaic, 0);
    private final HttpClient client = HttpClient.newHttpClient();

    @AfterEach
    void close() {
        client.close();
        page.close();
    }

    private HttpResponse<byte[]> got(String path) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(page.address() + path)).build();
        return client.send(request, HttpResponse.BodyHandlers.ofByteArray());
    }

    private static Sample row(int top, int step, int shade) {
        return new Sample(2, top, step, 9, false, new byte[] {(byte) shade, (byte) shade});
    }

    private static int rgb(byte[] png, int x, int y) throws IOException {
        return ImageIO.read(new ByteArrayInputStream(png)).getRGB(x, y) & 0xffffff;
    }

    @Test
    void a_picture_is_what_all_have_shown_last() throws Exception {
        mosaic.put(0, row(0, 3, 0));
        mosaic.put(1, row(1, 4, 255));
        var reply = got("field.png");
        assertThat(reply.statusCode()).isEqualTo(200);
        assertThat(reply.headers().firstValue("Ibidem-Step")).hasValue("3");
        assertThat(reply.headers().firstValue("Ibidem-Steps")).hasValue("9");
        assertThat(reply.headers().firstValue("Ibidem-Over")).hasValue("false");
        assertThat(rgb(reply.body(), 0, 0)).isEqualTo(0x000004);
        assertThat(rgb(reply.body(), 1, 1)).isEqualTo(0xfcffa4);

        mosaic.put(0, row(0, 5, 255));
        var number = reply.headers().firstValue("Ibidem-Number").orElseThrow();
        var next = got("field.png?after=" + number);
        assertThat(rgb(next.body(), 0, 0)).isEqualTo(0xfcffa4);
        assertThat(next.headers().firstValue("Ibidem-Step")).hasValue("4");
    }

    @Test
    void who_has_the_latest_waits_for_the_next() throws Exception {
        mosaic.put(0, row(0, 1, 0));
        mosaic.put(1, row(1, 1, 0));
        assertThat(mosaic.next(2, TimeUnit.MILLISECONDS.toNanos(20))).isNull();
        var waits =
                client.sendAsync(
                        HttpRequest.newBuilder(URI.create(page.address() + "field.png?after=2"))
                                .build(),
                        HttpResponse.BodyHandlers.ofByteArray());
        assertThat(waits).isNotDone();
        mosaic.put(0, row(0, 2, 0));
        assertThat(waits.get(30, TimeUnit.SECONDS).headers().firstValue("Ibidem-Number"))
                .hasValue("3");
    }

    @Test
    void the_last_picture_says_so_and_is_waited_for() throws Exception {
        mosaic.put(0, row(0, 1, 0));
        mosaic.put(1, row(1, 1, 0));
        mosaic.end(0);
        assertThat(got("field.png").headers().firstValue("Ibidem-Over")).hasValue("false");
        mosaic.end(1);
        mosaic.awaitOver();
        assertThat(got("field.png").headers().firstValue("Ibidem-Over")).hasValue("true");
        page.awaitLast(java.time.Duration.ofSeconds(60)); // at once
    }

    @Test
    void the_page_has_its_title_and_loads_nothing_from_elsewhere() throws Exception {
        var reply = got("");
        assertThat(reply.headers().firstValue("Content-Type").orElse("")).startsWith("text/html");
        assertThat(reply.headers().firstValue("Content-Security-Policy").orElse(""))
                .contains("default-src 'none'");
        assertThat(new String(reply.body(), StandardCharsets.UTF_8))
                .contains("<h1>heat &amp; &lt;more></h1>", "field.png?after=")
                .doesNotContain("http");
    }

    @Test
    void what_it_has_not_it_says() throws Exception {
        assertThat(got("other").statusCode()).isEqualTo(404);
        assertThat(got("field.png?after=soon").statusCode()).isEqualTo(400);
        var post =
                HttpRequest.newBuilder(URI.create(page.address()))
                        .POST(HttpRequest.BodyPublishers.noBody())
                        .build();
        assertThat(client.send(post, HttpResponse.BodyHandlers.discarding()).statusCode())
                .isEqualTo(405);
    }

    /// A page of somebody else's whose name leads to this machine sends that name.
    @Test
    void who_calls_it_by_another_name_sees_nothing() throws Exception {
        int port = URI.create(page.address()).getPort();
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            var ask = "GET /field.png HTTP/1.1\r\nHost: evil.example:" + port + "\r\n\r\n";
            socket.getOutputStream().write(ask.getBytes(StandardCharsets.US_ASCII));
            var line = new byte[12];
            assertThat(socket.getInputStream().readNBytes(line, 0, 12)).isEqualTo(12);
            assertThat(new String(line, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 403");
        }
    }

    @Test
    void a_port_that_is_taken_is_said() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> new Page("", mosaic, taken.getLocalPort()))
                    .isInstanceOf(IbidemException.class)
                    .hasMessageContaining("port " + taken.getLocalPort())
                    .hasMessageContaining("take another one");
        }
    }

    @Test
    void parts_of_two_pictures_are_not_put_together() {
        mosaic.put(0, row(0, 1, 0));
        assertThatThrownBy(() -> mosaic.put(1, new Sample(3, 0, 1, 9, false, new byte[3])))
                .isInstanceOf(BadWatch.class)
                .hasMessageContaining("do not belong together");
        assertThatThrownBy(() -> new Sample(2, 1, 0, 1, false, new byte[4]))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Sample(4000, 0, 0, 1, false, new byte[0]))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
