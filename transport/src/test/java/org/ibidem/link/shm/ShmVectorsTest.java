package org.ibidem.link.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.ibidem.Vectors;
import org.ibidem.link.FrameLink;
import org.ibidem.link.TestLower;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The meeting and the segment stay what the vectors say: the other end is played byte by byte.
@Timeout(20)
class ShmVectorsTest {
    private static final int PAGE = 4096;
    private static final int OFFER = 8;
    private static final Path FOLDER = Path.of("/dev/shm");
    private static final Shm SMALL = new Shm(PAGE, PAGE);

    private final Vectors vectors = Vectors.read("shm");
    private final TestLower[] ends = TestLower.pair();
    private final String key = ends[0].key();
    private final SocketChannel socket = ends[1].socket();

    ShmVectorsTest() throws IOException {
        socket.configureBlocking(true);
    }

    @BeforeEach
    void needs() {
        assumeTrue(Files.isDirectory(FOLDER), "there is no " + FOLDER);
    }

    @AfterEach
    void close() throws IOException {
        socket.close();
        ends[0].socket().close();
        Files.deleteIfExists(Segment.file(FOLDER, key));
    }

    private CompletableFuture<FrameLink> meet(@Nullable Shm offered) {
        boolean active = offered != null;
        var lower = new TestLower(active, key, ends[0].socket(), ends[0].tasks());
        var link = new CompletableFuture<FrameLink>();
        Thread.ofVirtual()
                .start(() -> {
                    try {
                        var meeting = new Meeting(lower, FOLDER, null);
                        link.complete(offered != null ? meeting.offer(offered) : meeting.take());
                    } catch (IOException e) {
                        link.completeExceptionally(e);
                    }
                });
        return link;
    }

    private byte[] receive(int length) throws IOException {
        var bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining() && socket.read(bytes) >= 0) {
            // until it is there
        }
        return bytes.array();
    }

    private void send(String name) throws IOException {
        socket.write(ByteBuffer.wrap(vectors.get(name)));
    }

    @Test
    @Tag("slow")
    void an_active_end_offers_so() throws IOException {
        var link = meet(new Shm());
        assertThat(receive(OFFER)).isEqualTo(vectors.get("offer"));
        var file = Segment.file(FOLDER, key);
        long first = PAGE + (PAGE + (64 << 10)) + (PAGE + (16 << 10));
        long more = 2 * ((256 << 10) + (1 << 20) + (2 << 20)) + (64 << 10);
        assertThat(file).hasToString("/dev/shm/ibidem-" + key).hasSize(first + more);
        assertThat((Long) Files.getAttribute(file, "unix:size")).isEqualTo(first + more);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        var content = Files.readAllBytes(file);
        assertThat(content).startsWith(key.getBytes(StandardCharsets.US_ASCII));
        assertThat(content).endsWith(new byte[content.length - PAGE]);
        prove(file);
        send("mapped");
        assertThat(receive(1)).isEqualTo(vectors.get("seen"));
        link.join().close();
        assertThat(file).doesNotExist();
    }

    /// The key backwards, in the file.
    private void prove(Path file) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            var proof = new StringBuilder(key).reverse().toString();
            channel.write(ByteBuffer.wrap(proof.getBytes(StandardCharsets.US_ASCII)), 64);
        }
    }

    @Test
    void an_active_end_gives_up_when_the_other_sees_another_file() throws IOException {
        var link = meet(SMALL);
        receive(OFFER);
        send("mapped");
        assertThatThrownBy(link::join).hasMessageContaining("the peer sees another file");
        assertThat(Segment.file(FOLDER, key)).doesNotExist();
    }

    @Test
    void an_active_end_gives_up_when_the_file_is_cut_short_meanwhile() throws IOException {
        var link = meet(SMALL);
        receive(OFFER);
        try (var file = FileChannel.open(Segment.file(FOLDER, key), StandardOpenOption.WRITE)) {
            file.truncate(0);
        }
        send("mapped");
        assertThatThrownBy(link::join).hasMessageContaining("cut short while the two ends met");
        assertThat(Segment.file(FOLDER, key)).doesNotExist();
    }

    @Test
    void an_active_end_gives_up_at_a_complaint() throws IOException {
        var link = meet(SMALL);
        assertThat(receive(OFFER)).isEqualTo(vectors.get("offer.4k"));
        send("complaint");
        assertThatThrownBy(link::join)
                .isInstanceOf(CompletionException.class)
                .hasMessageContaining("the peer does not see this machine's shared memory: no é");
        assertThat(Segment.file(FOLDER, key)).doesNotExist();
    }

    @Test
    void a_passive_end_takes_so() throws IOException {
        var segment = Segment.create(FOLDER, key, SMALL);
        var link = meet(null);
        send("offer.4k");
        assertThat(receive(1)).isEqualTo(vectors.get("mapped"));
        assertThat(segment.isProved(key)).isTrue();
        send("seen");
        link.join().close();
    }

    @Test
    void a_passive_end_complains_of_a_file_that_is_not_there() throws IOException {
        complains("offer.4k", "NoSuchFileException");
    }

    @Test
    void a_passive_end_complains_of_another_size() throws IOException {
        Segment.create(FOLDER, key, new Shm(2 * PAGE, 2 * PAGE));
        complains("offer.4k", "the shared file has 32768 bytes, not 20480");
    }

    @Test
    void a_passive_end_complains_of_another_key() throws IOException {
        Segment.create(FOLDER, key, SMALL);
        try (var channel =
                Files.newByteChannel(Segment.file(FOLDER, key), StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[] {'x'}));
        }
        complains("offer.4k", "the shared file is not the one the peer made");
    }

    @Test
    void a_passive_end_complains_of_a_size_no_ring_has() throws IOException {
        assertThat(vectors.starting("bad.")).hasSize(7);
        for (var name : vectors.starting("bad.").keySet()) {
            var test = new ShmVectorsTest();
            test.complains(name, why(name));
            test.close();
        }
    }

    private static String why(String vector) {
        return switch (vector) {
            case "bad.largest.less" -> "the largest ring has 4096 bytes and the first 65536";
            case "bad.largest.large" -> "and the first 4096";
            case "bad.largest.odd" -> "largest is a power of two from 4k to 1G";
            default -> "ring is a power of two from 4k to 1G";
        };
    }

    private void complains(String offer, String why) throws IOException {
        var link = meet(null);
        send(offer);
        int length = receive(1)[0] & 0xFF;
        assertThat(new String(receive(length), StandardCharsets.UTF_8)).contains(why);
        assertThatThrownBy(link::join).hasMessageContaining(why);
    }
}
