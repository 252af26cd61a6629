package org.ibidem.connect.socks;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// A proxy that says what it is told to, whatever it hears.
final class ScriptedProxy implements AutoCloseable {
    /// What it does with a connection.
    @FunctionalInterface
    interface Script {
        void play(InputStream in, OutputStream out) throws IOException;
    }

    private final ServerSocket server;
    private final List<Socket> clients = new CopyOnWriteArrayList<>();
    final List<String> heard = new CopyOnWriteArrayList<>();

    ScriptedProxy(Script script) throws IOException {
        this(InetAddress.getLoopbackAddress(), script);
    }

    ScriptedProxy(InetAddress where, Script script) throws IOException {
        server = new ServerSocket(0, 10, where);
        Thread.ofVirtual()
                .start(() -> {
                    try {
                        while (true) {
                            var client = server.accept();
                            clients.add(client);
                            Thread.ofVirtual().start(() -> play(client, script));
                        }
                    } catch (IOException _) {
                        // the test is over
                    }
                });
    }

    private static void play(Socket client, Script script) {
        try {
            script.play(client.getInputStream(), client.getOutputStream());
        } catch (IOException _) {
            // he has gone
        }
    }

    /// One that hears so many bytes, says something, and so on: `3` and `0500` in turn, numbers of
    /// bytes and hexadecimal; then `end` to end the connection.
    static ScriptedProxy socks(String... lines) throws IOException {
        var proxy = new ScriptedProxy[1];
        var script = new ArrayList<>(List.of(lines));
        proxy[0] =
                new ScriptedProxy((in, out) -> {
                    for (int i = 0; i < script.size(); i++) {
                        var line = script.get(i);
                        if (line.equals("end")) {
                            out.close();
                        } else if (i % 2 == 0) {
                            var bytes = in.readNBytes(Integer.parseInt(line));
                            proxy[0].heard.add(HexFormat.of().formatHex(bytes));
                        } else {
                            out.write(HexFormat.of().parseHex(line));
                        }
                    }
                });
        return proxy[0];
    }

    /// One that hears a whole request and answers with a text.
    static ScriptedProxy http(String answer) throws IOException {
        var proxy = new ScriptedProxy[1];
        proxy[0] =
                new ScriptedProxy((in, out) -> {
                    var request = new StringBuilder();
                    while (request.indexOf("\r\n\r\n") < 0) {
                        request.append((char) in.read());
                    }
                    proxy[0].heard.add(request.toString());
                    out.write(answer.getBytes(StandardCharsets.ISO_8859_1));
                });
        return proxy[0];
    }

    int port() {
        return server.getLocalPort();
    }

    String at(String scheme) {
        var host = server.getInetAddress().getHostAddress();
        return scheme + (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port();
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (var client : clients) {
            client.close();
        }
    }
}
