package org.ibidem.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.ibidem.arbitration.Threads;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BriefWaitTest {
    private static final int TRIES = 20;

    private final Threads tasks = new Threads("test");
    private final BriefWait brief = new BriefWait(tasks);
    private final ByteBuffer into = ByteBuffer.allocate(10);
    private SocketChannel mine;
    private SocketChannel other;

    @BeforeEach
    void open() throws IOException {
        try (var listening = ServerSocketChannel.open()) {
            listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            mine = SocketChannel.open();
            new BriefWait(tasks).connect(mine, listening.getLocalAddress());
            other = listening.accept();
        }
    }

    @AfterEach
    void close() throws IOException {
        mine.close();
        other.close();
        tasks.close();
    }

    /// What came of it in a virtual thread.
    private static final class Waiting<T> {
        private final CompletableFuture<T> result = new CompletableFuture<>();
        private final Thread thread;

        Waiting(Callable<T> body) {
            thread =
                    Thread.ofVirtual()
                            .start(() -> {
                                try {
                                    result.complete(body.call());
                                } catch (Exception e) {
                                    result.completeExceptionally(e);
                                }
                            });
        }

        boolean looks() {
            return thread.getState() == Thread.State.TIMED_WAITING;
        }

        boolean blocks() {
            return thread.getState() == Thread.State.WAITING;
        }

        T get() throws Throwable {
            try {
                return result.join();
            } catch (CompletionException e) {
                throw e.getCause();
            }
        }
    }

    private Waiting<Integer> reads() {
        return new Waiting<>(() -> brief.read(mine, into));
    }

    private void write(int bytes) throws IOException {
        assertThat(other.write(ByteBuffer.allocate(bytes))).isEqualTo(bytes);
    }

    @Test
    void a_channel_is_connected_and_in_blocking_mode() {
        assertThat(mine.isConnected()).isTrue();
        assertThat(mine.isBlocking()).isTrue();
    }

    @Test
    void what_is_there_is_read() throws IOException {
        write(3);
        assertThat(brief.read(mine, into)).isEqualTo(3);
        assertThat(mine.isBlocking()).isTrue();
        write(20);
        assertThat(brief.read(mine, into)).as("only what there is room for").isEqualTo(7);
    }

    @Test
    void the_end_is_told_at_once_and_later() throws Throwable {
        var waiting = reads();
        eventually("it waits", () -> waiting.looks() || waiting.blocks());
        other.close();
        assertThat(waiting.get()).isEqualTo(-1);
        assertThat(brief.read(mine, into)).isEqualTo(-1);
    }

    @Test
    void what_comes_after_the_last_look_is_waited_for() throws Throwable {
        for (int i = 0; i < 3; i++) {
            var waiting = reads();
            eventually("it blocks", waiting::blocks);
            write(1);
            assertThat(waiting.get()).isEqualTo(1);
            assertThat(mine.isBlocking()).isTrue();
        }
    }

    @Test
    void who_is_interrupted_is_told_as_by_any_channel() {
        var waiting = reads();
        eventually("it waits", () -> waiting.looks() || waiting.blocks());
        waiting.thread.interrupt();
        assertThatThrownBy(waiting::get).isInstanceOf(ClosedByInterruptException.class);
        assertThat(mine.isOpen()).isFalse();
    }

    @Test
    void who_closes_it_ends_the_wait() throws IOException {
        var waiting = reads();
        eventually("it waits", () -> waiting.looks() || waiting.blocks());
        mine.close();
        assertThatThrownBy(waiting::get)
                .isInstanceOfAny(ClosedChannelException.class, AsynchronousCloseException.class);
    }

    private static SocketAddress nobodysAddress() throws IOException {
        try (var gone = ServerSocketChannel.open()) {
            gone.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            return gone.getLocalAddress();
        }
    }

    @Test
    void a_refused_connection_says_so() throws IOException {
        var address = nobodysAddress();
        try (var channel = SocketChannel.open()) {
            assertThatThrownBy(() -> brief.connect(channel, address))
                    .isInstanceOf(ConnectException.class)
                    .hasMessageContaining("refused");
            assertThat(channel.isOpen()).isFalse();
        }
    }

    /// Whether an `epoll` of this process knows the socket, as the kernel shows it.
    private static boolean isPolled(SocketChannel channel) throws IOException {
        int port = ((InetSocketAddress) channel.getLocalAddress()).getPort();
        int peer = ((InetSocketAddress) channel.getRemoteAddress()).getPort();
        var inode = "";
        for (var table : new String[] {"tcp", "tcp6"}) {
            for (var line : Files.readAllLines(Path.of("/proc/self/net", table))) {
                var parts = line.strip().split(" +", -1);
                if (parts[1].endsWith(":%04X".formatted(port))
                        && parts[2].endsWith(":%04X".formatted(peer))) {
                    inode = Long.toHexString(Long.parseLong(parts[9]));
                }
            }
        }
        assertThat(inode).as("the kernel's number of the socket").isNotEmpty();
        try (var files = Files.newDirectoryStream(Path.of("/proc/self/fdinfo"))) {
            for (var file : files) {
                if (isIn(file, " ino:" + inode + " ")) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isIn(Path file, String what) {
        try {
            return Files.readString(file).contains(what);
        } catch (IOException e) {
            return false; // closed meanwhile
        }
    }

    @Test
    @Tag("slow")
    void it_leaves_no_trace_where_the_answer_comes_soon() throws Throwable {
        assumeTrue(Files.isDirectory(Path.of("/proc/self/fdinfo")), "only Linux shows that");
        assertThat(isPolled(mine)).isFalse();
        boolean traceless = false;
        for (int i = 0; i < TRIES && !traceless; i++) { // this thread may be away for long
            var waiting = reads();
            eventually("it waits", () -> waiting.looks() || waiting.blocks());
            write(1);
            assertThat(waiting.get()).isEqualTo(1);
            traceless = !isPolled(mine);
            if (!traceless) {
                close();
                open();
            }
            into.clear();
        }
        assertThat(traceless).isTrue();
        while (!isPolled(mine)) { // looks are limited, and this shows that a trace would be seen
            var waiting = reads();
            eventually("it waits", () -> waiting.looks() || waiting.blocks());
            write(1);
            assertThat(waiting.get()).isEqualTo(1);
            into.clear();
        }
    }
}
