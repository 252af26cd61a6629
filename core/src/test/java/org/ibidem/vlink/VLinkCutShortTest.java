package org.ibidem.vlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.ibidem.port.Segments;
import org.ibidem.vlink.VLinkFailed.Kind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The memory of a VLink is cut short by another process of the same user: it is broken at both
/// ends, with the reason.
@Tag("cold")
@Isolated("it looks for what has come into being")
@Timeout(60)
class VLinkCutShortTest {
    private final Pair pair = new Pair();

    @AfterEach
    void close() {
        pair.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "checksum > shm"})
    void writing_and_reading_say_that_it_is_broken_and_why(String stack) {
        assumeTrue(Segments.canBeFound(), "there is no /proc/self/fd");
        var segments = Segments.ofLinks();
        VLink server;
        VLink client;
        try (var listener = pair.to.listen("echo", stack, 5)) {
            var accepting = listener.postAccept();
            client =
                    VLinkTest.done(
                            pair.from.connect(
                                    pair.two.id(), "echo", stack, "", Duration.ofSeconds(30)));
            server = VLinkTest.done(accepting);
        }
        VLinkTest.write(client, new byte[100]);
        VLinkTest.read(server, 50); // the rest is in the link's memory
        segments.cutShort(1);
        isBroken(() -> VLinkTest.write(client, new byte[100]));
        isBroken(() -> VLinkTest.read(server, 100));
    }

    private static void isBroken(ThrowingCallable use) {
        assertThatThrownBy(use)
                .isInstanceOfSatisfying(
                        VLinkFailed.class, e -> assertThat(e.kind()).isEqualTo(Kind.BROKEN))
                .hasMessageContaining("cut short");
    }
}
