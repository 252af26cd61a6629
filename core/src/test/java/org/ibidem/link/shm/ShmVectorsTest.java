package org.ibidem.link.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.ibidem.Vectors;
import org.ibidem.link.FrameLink;
import org.ibidem.link.TestLower;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The meeting and the segment stay what the vectors say: the other end is played byte by byte.
@Timeout(20)
class ShmVectorsTest {
    private static final int PAGE = 4096;

    private final Vectors vectors = Vectors.read("shm");
    private final TestLower[] ends = TestLower.pair();
    private final String key = ends[0].key();
    private final SocketChannel socket = ends[1].socket();

    ShmVectorsTest() throws IOException {
        socket.configureBlocking(true);
    }

    @BeforeEach
    void needs() {
        assumeTrue(Files.isDirectory(Segment.FOLDER), "there is no " + Segment.FOLDER);
    }

    @AfterEach
    void close() throws IOException {
        socket.close();
        ends[0].socket().close();
        Files.deleteIfExists(Segment.file(key));
    }

    private CompletableFuture<FrameLink> meet(boolean active, int ring) {
        var lower = new TestLower(active, key, ends[0].socket(), ends[0].tasks());
        var link = new CompletableFuture<FrameLink>();
        Thread.ofVirtual()
                .start(() -> {
                    try {
                        var meeting = new Meeting(lower);
                        link.complete(active ? meeting.offer(ring) : meeting.take());
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
    void an_active_end_offers_so() throws IOException {
        var link = meet(true, 512 << 10);
        assertThat(receive(4)).isEqualTo(vectors.get("offer"));
        var file = Segment.file(key);
        assertThat(file).hasToString("/dev/shm/ibidem-" + key).hasSize(PAGE + 2 * (PAGE + 524288));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        var content = Files.readAllBytes(file);
        assertThat(content).startsWith(key.getBytes(StandardCharsets.US_ASCII));
        assertThat(content).endsWith(new byte[content.length - 32]);
        send("mapped");
        link.join().close();
        assertThat(file).doesNotExist();
    }

    @Test
    void an_active_end_gives_up_at_a_complaint() throws IOException {
        var link = meet(true, PAGE);
        assertThat(receive(4)).isEqualTo(vectors.get("offer.4k"));
        send("complaint");
        assertThatThrownBy(link::join)
                .isInstanceOf(CompletionException.class)
                .hasMessageContaining("the peer does not see this machine's shared memory: no é");
        assertThat(Segment.file(key)).doesNotExist();
    }

    @Test
    void a_passive_end_takes_so() throws IOException {
        Segment.create(key, PAGE);
        var link = meet(false, 0);
        send("offer.4k");
        assertThat(receive(1)).isEqualTo(vectors.get("mapped"));
        link.join().close();
    }

    @Test
    void a_passive_end_complains_of_a_file_that_is_not_there() throws IOException {
        complains("offer.4k", "NoSuchFileException");
    }

    @Test
    void a_passive_end_complains_of_another_size() throws IOException {
        Segment.create(key, 2 * PAGE);
        complains("offer.4k", "the shared file has 28672 bytes, not 20480");
    }

    @Test
    void a_passive_end_complains_of_another_key() throws IOException {
        Segment.create(key, PAGE);
        try (var channel = Files.newByteChannel(Segment.file(key), StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[] {'x'}));
        }
        complains("offer.4k", "the shared file is not the one the peer made");
    }

    @Test
    void a_passive_end_complains_of_a_size_no_ring_has() throws IOException {
        assertThat(vectors.starting("bad.")).hasSize(4);
        for (var name : vectors.starting("bad.").keySet()) {
            var test = new ShmVectorsTest();
            test.complains(name, "ring is a power of two from 4k to 1G");
            test.close();
        }
    }

    private void complains(String offer, String why) throws IOException {
        var link = meet(false, 0);
        send(offer);
        int length = receive(1)[0] & 0xFF;
        assertThat(new String(receive(length), StandardCharsets.UTF_8)).contains(why);
        assertThatThrownBy(link::join).hasMessageContaining(why);
    }
}
