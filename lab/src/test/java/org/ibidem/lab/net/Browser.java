package org.ibidem.lab.net;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/// Reads the page of a watcher on its machine as a browser does: the page, then one picture after
/// the other.
final class Browser {
    private static final int NOTHING_YET = 204;

    private final HttpClient client;
    private final String page;

    private Browser(HttpClient client, String page) {
        this.client = client;
        this.page = page;
    }

    /// `ADDRESS FOLDER`: says `page` with its first heading, and at the end `pictures` with how
    /// many there were and how many of them were others than the one before. The first and the last
    /// are put into the folder.
    public static void main(String[] arguments) throws Exception {
        try (var client = HttpClient.newHttpClient()) {
            var browser = new Browser(client, arguments[0]);
            var html = new String(browser.get("").body(), java.nio.charset.StandardCharsets.UTF_8);
            System.out.println("page " + html.replaceFirst("(?s).*<h1>(.*?)</h1>.*", "$1"));
            browser.look(Path.of(arguments[1]));
        }
    }

    private HttpResponse<byte[]> get(String what) throws Exception {
        var ask = HttpRequest.newBuilder(URI.create(page + what)).build();
        return client.send(ask, HttpResponse.BodyHandlers.ofByteArray());
    }

    private void look(Path folder) throws Exception {
        int count = 0;
        int others = 0;
        byte[] last = {};
        boolean over = false;
        for (var after = "-1"; !over; ) {
            var reply = get("field.png?after=" + after);
            if (reply.statusCode() == NOTHING_YET) {
                continue;
            }
            after = header(reply, "Ibidem-Number");
            over = Boolean.parseBoolean(header(reply, "Ibidem-Over"));
            Files.write(folder.resolve(count == 0 ? "first.png" : "last.png"), reply.body());
            others += count > 0 && !Arrays.equals(last, reply.body()) ? 1 : 0;
            count++;
            last = reply.body();
        }
        System.out.println("pictures " + count + " " + others);
    }

    private static String header(HttpResponse<?> reply, String name) {
        return reply.headers().firstValue(name).orElseThrow();
    }
}
