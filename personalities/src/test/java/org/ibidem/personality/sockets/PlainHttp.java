package org.ibidem.personality.sockets;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Arrays;

/// A program of the JDK's HTTP server and client, and of nothing else.
public final class PlainHttp {
    private static final int ROUNDS = 200;
    private static final int SIZE = 10_000;

    private PlainHttp() {}

    /// Either of them.
    ///
    /// @param arguments `server`, or `client HOST PORT`
    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (arguments[0].equals("server")) {
            serve();
        } else {
            ask(arguments[1], arguments[2]);
        }
    }

    private static void serve() throws IOException {
        var at = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        var server = HttpServer.create(at, 0);
        server.createContext(
                "/",
                exchange -> {
                    try (exchange) {
                        var body = exchange.getRequestBody().readAllBytes();
                        exchange.sendResponseHeaders(200, body.length);
                        exchange.getResponseBody().write(body);
                    }
                });
        server.start();
        System.out.println("listening on " + server.getAddress().getPort());
    }

    private static void ask(String host, String port) throws IOException, InterruptedException {
        try (var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            for (int i = 0; i < ROUNDS; i++) {
                var body = new byte[SIZE + i];
                Arrays.fill(body, (byte) i);
                var request =
                        HttpRequest.newBuilder(URI.create("http://" + host + ":" + port + "/"))
                                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                                .build();
                var answer = client.send(request, BodyHandlers.ofByteArray());
                if (answer.statusCode() != 200 || !Arrays.equals(answer.body(), body)) {
                    throw new IllegalStateException("answer " + i + " is another");
                }
            }
        }
        System.out.println(ROUNDS + " times");
    }
}
