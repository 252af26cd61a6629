package org.ibidem.link.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.ibidem.buffer.Frame;
import org.ibidem.link.FrameLink;
import org.ibidem.link.LinkBroken;
import org.ibidem.link.TestLower;
import org.ibidem.wait.Armed;
import org.ibidem.wait.Waitable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The peer keeps the file open and cuts it short: the memory is gone under the mapping.
@Timeout(20)
class TruncatedTest {
    private static final Path FOLDER = Path.of("/dev/shm");

    @Test
    void memory_that_was_cut_off_breaks_the_link_with_the_reason() throws Exception {
        assumeTrue(Files.isDirectory(FOLDER), "there is no " + FOLDER);
        var ends = TestLower.pair();
        var key = ends[0].key();
        var segment = Segment.create(FOLDER, key, new Shm(4096, 4096));
        try {
            var link = taken(ends[0]);
            offer(ends[1]);
            var frames = link.get();
            segment.file().truncate(0);
            broken(frames);
        } finally {
            Files.deleteIfExists(Segment.file(FOLDER, key));
            ends[1].socket().close();
        }
    }

    private static CompletableFuture<FrameLink> taken(TestLower end) {
        var link = new CompletableFuture<FrameLink>();
        var passive = new TestLower(false, end.key(), end.socket(), end.tasks());
        Thread.ofVirtual()
                .start(() -> {
                    try {
                        link.complete(new Meeting(passive, FOLDER, null).take());
                    } catch (IOException e) {
                        link.completeExceptionally(e);
                    }
                });
        return link;
    }

    private static void offer(TestLower end) throws IOException {
        end.socket().configureBlocking(true);
        end.socket().write(ByteBuffer.wrap(new byte[] {0, 16, 0, 0, 0, 16, 0, 0, 0}));
    }

    private static void broken(FrameLink frames) {
        var frame = new Frame();
        assertThat(((Waitable) frames.source()).arm()).isEqualTo(Armed.READY);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> frames.source().poll(frame))
                    .isInstanceOf(LinkBroken.class)
                    .hasMessageContaining("the shared memory was cut short");
        }
        assertThatThrownBy(() -> frames.sink().claim(frame, 8)).isInstanceOf(LinkBroken.class);
        assertThat(((Waitable) frames.sink()).arm()).isEqualTo(Armed.READY);
    }
}
