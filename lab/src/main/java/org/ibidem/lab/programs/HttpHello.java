package org.ibidem.lab.programs;

import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.Executors;

/// The JDK's `HttpServer` and `HttpClient`: `HttpHello server PORT`, `HttpHello client HOST PORT
/// COUNT`.
public final class HttpHello {
    private static final int OK = 200;
    private static final int MISSING = 404;
    private static final String LARGE = "0123456789".repeat(100_000);

    private HttpHello() {}

    /// Serves, or asks.
    ///
    /// @param args `server`, port; or `client`, host, port, how many requests to time
    public static void main(String[] args) throws Exception {
        if (args[0].equals("server")) {
            serve(Integer.parseInt(args[1]));
            return;
        }
        var base = "http://" + args[1] + ":" + args[2];
        try (var client = HttpClient.newBuilder().version(Version.HTTP_1_1).build()) {
            Exchanges.same(echo(client, base, LARGE), LARGE);
            var missing = HttpRequest.newBuilder(URI.create(base + "/nothing")).build();
            var answer = client.send(missing, BodyHandlers.discarding());
            Exchanges.same(answer.statusCode(), MISSING);
            System.out.println("checked");
            Exchanges.time(
                    Integer.parseInt(args[3]),
                    i -> Exchanges.same(echo(client, base, "" + i), "" + i));
        }
    }

    private static String echo(HttpClient client, String base, String text) throws Exception {
        var request =
                HttpRequest.newBuilder(URI.create(base + "/echo"))
                        .POST(BodyPublishers.ofString(text))
                        .build();
        var answer = client.send(request, BodyHandlers.ofString());
        Exchanges.same(answer.statusCode(), OK);
        return answer.body();
    }

    private static void serve(int port) throws Exception {
        var server = HttpServer.create(new InetSocketAddress(port), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext(
                "/echo",
                exchange -> {
                    try (exchange) {
                        var body = exchange.getRequestBody().readAllBytes();
                        exchange.sendResponseHeaders(OK, body.length);
                        exchange.getResponseBody().write(body);
                    }
                });
        server.start();
        System.out.println("listening on " + server.getAddress().getPort());
    }
}
