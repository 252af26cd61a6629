package org.ibidem.apps.view;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.ibidem.IbidemException;
import org.ibidem.config.AddressFamilies;
import org.jspecify.annotations.Nullable;

/// The page that shows a picture to browsers of this machine, on loopback only.
///
/// `/` is the page, `/field.png?after=N` the picture as soon as there is a later one than number N:
/// 200 with its number, step and whether it is the last one in `Ibidem-…`, or 204 when there is
/// none within 10 seconds. Who asks by another host name than this machine's own is refused (403):
/// a page of somebody else's, whose name was made to lead here, is to see nothing.
final class Page implements AutoCloseable {
    private static final long WAIT_NANOS = 10_000_000_000L;
    private static final int MOST_AT_ONCE = 64;
    private static final Pattern AFTER = Pattern.compile("after=(-1|[0-9]{1,18})");
    private static final Pattern OWN =
            Pattern.compile("(127\\.0\\.0\\.1|localhost|\\[::1])(:\\d+)?");
    private static final String POLICY =
            "default-src 'none'; img-src 'self' blob:; connect-src 'self';"
                    + " script-src 'unsafe-inline'; style-src 'unsafe-inline'";

    private final String title;
    private final Mosaic mosaic;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Semaphore room = new Semaphore(MOST_AT_ONCE);
    private final CountDownLatch lastShown = new CountDownLatch(1);

    /// What is answered.
    private record Answer(int code, String type, byte[] body, Mosaic.@Nullable Frame frame) {
        static Answer of(int code, String text) {
            return new Answer(code, "text/plain", text.getBytes(StandardCharsets.UTF_8), null);
        }
    }

    /// Shows `mosaic`.
    ///
    /// @param port where; 0: any that is free
    /// @throws IbidemException when it is taken
    Page(String title, Mosaic mosaic, int port) {
        this.title = title;
        this.mosaic = mosaic;
        try {
            this.server =
                    HttpServer.create(new InetSocketAddress(AddressFamilies.loopback(), port), 0);
        } catch (IOException e) {
            throw new IbidemException(
                    "cannot show a page at port "
                            + port
                            + ": "
                            + e.getMessage()
                            + "; take another one, or 0 for any",
                    e);
        }
        server.createContext("/", this::answer);
        server.setExecutor(threads);
        server.start();
    }

    /// Where it is.
    String address() {
        return "http://localhost:" + server.getAddress().getPort() + "/";
    }

    /// Waits until somebody has got the last picture.
    void awaitLast(Duration limit) throws InterruptedException {
        var _ = lastShown.await(limit.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            var answer = asked(exchange);
            var headers = exchange.getResponseHeaders();
            headers.set("Content-Type", answer.type);
            headers.set("Content-Security-Policy", POLICY);
            headers.set("X-Content-Type-Options", "nosniff");
            headers.set("Cache-Control", "no-store");
            var frame = answer.frame;
            if (frame != null) {
                headers.set("Ibidem-Number", "" + frame.number());
                headers.set("Ibidem-Step", "" + frame.step());
                headers.set("Ibidem-Steps", "" + frame.steps());
                headers.set("Ibidem-Over", "" + frame.over());
            }
            boolean empty = answer.body.length == 0;
            exchange.sendResponseHeaders(answer.code, empty ? -1 : answer.body.length);
            if (!empty) {
                exchange.getResponseBody().write(answer.body);
            }
            if (frame != null && frame.over()) {
                lastShown.countDown();
            }
        }
    }

    private Answer asked(HttpExchange exchange) throws IOException {
        var host = exchange.getRequestHeaders().getFirst("Host");
        if (host == null || !OWN.matcher(host).matches()) {
            return Answer.of(403, "this page is for this machine: ask for " + address());
        }
        if (!exchange.getRequestMethod().equals("GET")) {
            return Answer.of(405, "it can only be looked at");
        }
        var uri = exchange.getRequestURI();
        return switch (uri.getPath()) {
            case "/" -> new Answer(200, "text/html; charset=utf-8", html(), null);
            case "/field.png" -> limited(uri.getQuery());
            default -> Answer.of(404, "there is " + address() + " only");
        };
    }

    private Answer limited(@Nullable String query) {
        var after = AFTER.matcher(query == null ? "after=-1" : query);
        if (!after.matches()) {
            return Answer.of(400, "ask for field.png?after=NUMBER");
        }
        if (!room.tryAcquire()) {
            return Answer.of(503, MOST_AT_ONCE + " wait for a picture already");
        }
        try {
            return picture(Long.parseLong(after.group(1)));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Answer.of(503, "the page is being closed");
        } finally {
            room.release();
        }
    }

    private Answer picture(long after) throws InterruptedException {
        var frame = mosaic.next(after, WAIT_NANOS);
        return frame == null
                ? new Answer(204, "image/png", new byte[0], null)
                : new Answer(200, "image/png", frame.png(), frame);
    }

    private byte[] html() throws IOException {
        try (InputStream in = Objects.requireNonNull(Page.class.getResourceAsStream("page.html"))) {
            var page = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return page.replace("TITLE", escaped(title)).getBytes(StandardCharsets.UTF_8);
        }
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
