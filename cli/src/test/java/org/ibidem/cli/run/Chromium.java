package org.ibidem.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.awt.image.BufferedImage;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.imageio.ImageIO;

/// A browser without a window that shows a page, told by the DevTools protocol. It finds nothing
/// but this machine.
final class Chromium implements AutoCloseable {
    /// The width and the height of what it shows.
    static final int SIDE = 800;

    private static final String NAME = "chromium";
    private static final String LISTENING = "DevTools listening on ";
    private static final long LIMIT_SECONDS = 60;

    private final HttpClient client = HttpClient.newHttpClient();
    private final Process process;
    private final WebSocket socket;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private int asked;

    private Chromium(Process process, BufferedReader out) throws IOException, InterruptedException {
        this.process = process;
        var line = out.readLine();
        while (line != null && !line.startsWith(LISTENING)) {
            line = out.readLine();
        }
        assertThat(line).as("it has begun").isNotNull();
        Thread.startVirtualThread(() -> out.lines().forEach(_ -> {}));
        var at = URI.create(line.substring(LISTENING.length()));
        this.socket =
                client.newWebSocketBuilder().buildAsync(page(at.getPort()), listener()).join();
    }

    /// Skips the test where there is none.
    static void require() {
        var path = System.getenv("PATH").split(File.pathSeparator, -1);
        assumeTrue(
                Stream.of(path).anyMatch(each -> Files.isExecutable(Path.of(each, NAME))),
                "there is no chromium: './ibidem setup'");
    }

    /// @param folder for what it keeps
    static Chromium show(Path folder, String page) throws IOException, InterruptedException {
        var command =
                List.of(
                        NAME,
                        "--headless",
                        "--no-sandbox", // which root cannot have
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--no-first-run",
                        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost",
                        "--force-color-profile=srgb",
                        "--window-size=" + SIDE + "," + SIDE,
                        "--user-data-dir=" + folder.resolve(NAME),
                        "--remote-debugging-port=0",
                        page);
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("TMPDIR", folder.toString());
        var process = builder.start();
        try {
            return new Chromium(process, process.inputReader());
        } catch (IOException | RuntimeException | Error e) {
            end(process);
            throw e;
        }
    }

    /// Where the page can be asked.
    private URI page(int port) throws IOException, InterruptedException {
        var list = URI.create("http://127.0.0.1:" + port + "/json/list");
        while (true) { // its first page may not be there yet
            var reply =
                    client.send(
                            HttpRequest.newBuilder(list).build(),
                            HttpResponse.BodyHandlers.ofString());
            for (var each : (List<?>) Json.parse(reply.body())) {
                var one = (Map<?, ?>) each;
                if ("page".equals(one.get("type"))) {
                    return URI.create("" + one.get("webSocketDebuggerUrl"));
                }
            }
        }
    }

    private WebSocket.Listener listener() {
        var whole = new StringBuilder();
        return new WebSocket.Listener() {
            @Override
            public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
                whole.append(data);
                if (last) {
                    answers.add(whole.toString());
                    whole.setLength(0);
                }
                from.request(1);
                return null;
            }
        };
    }

    private Map<?, ?> ask(String method, String parameters) throws InterruptedException {
        int number = ++asked;
        socket.sendText(
                        "{\"id\":%d,\"method\":\"%s\",\"params\":%s}"
                                .formatted(number, method, parameters),
                        true)
                .join();
        while (true) {
            var answer = answers.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
            assertThat(answer).as(method).isNotNull();
            var all = (Map<?, ?>) Json.parse(answer);
            if (all.get("id") instanceof Double id && id == number) {
                assertThat((Object) all.get("result")).as(answer).isInstanceOf(Map.class);
                return (Map<?, ?>) all.get("result");
            }
        }
    }

    /// What an expression of JavaScript without quotation marks gives in the page; a promise is
    /// waited for.
    Object value(String expression) throws InterruptedException {
        var result =
                ask(
                        "Runtime.evaluate",
                        "{\"expression\":\"%s\",\"awaitPromise\":true,\"returnByValue\":true}"
                                .formatted(expression));
        return ((Map<?, ?>) result.get("result")).get("value");
    }

    /// A PNG of what it shows.
    byte[] screenshot() throws InterruptedException {
        return Base64.getDecoder().decode("" + ask("Page.captureScreenshot", "{}").get("data"));
    }

    static BufferedImage read(byte[] png) throws IOException {
        return ImageIO.read(new ByteArrayInputStream(png));
    }

    private static void end(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        process.onExit().join();
    }

    @Override
    public void close() {
        socket.abort();
        client.shutdownNow();
        end(process);
    }
}
