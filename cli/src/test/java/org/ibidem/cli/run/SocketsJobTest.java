package org.ibidem.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// Programs of sockets, in processes of their own.
@Tag("lab")
@Isolated("starts processes")
class SocketsJobTest {
    private static final String ECHO =
            """
            import java.net.*;

            public class Echo {
                public static void main(String[] args) throws Exception {
                    int port = Integer.parseInt(args[0]);
                    if (System.getProperty("ibidem.rank").equals("1")) {
                        try (var listener = new ServerSocket(port); var one = listener.accept()) {
                            one.getInputStream().transferTo(one.getOutputStream());
                        }
                        return;
                    }
                    try (var socket = connected(port)) {
                        socket.getOutputStream().write("over no network".getBytes());
                        socket.shutdownOutput();
                        System.out.println(new String(socket.getInputStream().readAllBytes()));
                    }
                }

                private static Socket connected(int port) throws Exception {
                    for (int i = 0; i < 1000; i++) {
                        try {
                            return new Socket("1.pool", port);
                        } catch (ConnectException e) {
                            Thread.sleep(20); // it does not listen yet
                        }
                    }
                    throw new IllegalStateException("it never listened");
                }
            }
            """;

    @TempDir Path folder;

    private static int freePort() throws Exception {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    @Test
    void its_processes_reach_each_other_by_their_ranks() throws Exception {
        var echo = Files.writeString(folder.resolve("Echo.java"), ECHO).toString();
        var rules = "*.pool -> rank * over shm; listen * -> vlink";
        var port = Integer.toString(freePort());
        try (var run = Launched.run(folder, "--sockets", rules, "-n", "2", echo, port)) {
            assertThat(run.lines()).as(run.errors()).contains("[0] over no network");
            assertThat(run.code()).isZero();
        }
    }

    @Test
    void a_bad_rule_is_said_with_the_reason() throws Exception {
        var echo = Files.writeString(folder.resolve("Echo.java"), ECHO).toString();
        try (var run = Launched.run(folder, "--sockets", "x -> y", echo, "1")) {
            assertThat(run.code()).isNotZero();
            assertThat(run.errors()).contains("'y' is no place: 'rank N', 'rank *' or 'native'");
        }
    }
}
