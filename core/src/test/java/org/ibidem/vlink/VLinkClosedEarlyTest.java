package org.ibidem.vlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.ibidem.Background;
import org.ibidem.channel.Acceptor;
import org.ibidem.channel.InChannel;
import org.ibidem.channel.OutChannel;
import org.ibidem.vlink.VLinkFailed.Kind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Whoever accepts and closes at once may be heard before the way back is here: the VLink was made
/// all the same, and says so when it is used.
@Timeout(60)
class VLinkClosedEarlyTest {
    private static final Duration LIMIT = Duration.ofSeconds(40);

    private final Pair pair = new Pair();

    @AfterEach
    void close() {
        pair.close();
    }

    @ParameterizedTest
    @CsvSource({"closed: it no longer reads, UNREAD", "reset: it had enough, RESET"})
    void it_is_connected_all_the_same(String word, Kind kind) {
        var there = new Connecting(pair.two, pair.to);
        var back = new CompletableFuture<OutChannel>();
        pair.two
                .channels()
                .serve(
                        "vlink",
                        (_, stack, _, request) -> {
                            var token = token(request);
                            return new Acceptor.Yes(
                                    new Early(
                                            word,
                                            back,
                                            () -> there.openBack(pair.one.id(), stack, token)));
                        });
        var link = VLinkTest.done(pair.from.connect(pair.two.id(), "echo", "tcp", "", LIMIT));
        assertThat(back.join()).isNotNull();
        assertThatThrownBy(() -> link.write(ByteBuffer.allocate(1)))
                .isInstanceOfSatisfying(
                        VLinkFailed.class, e -> assertThat(e.kind()).isEqualTo(kind));
    }

    private static long token(byte[] request) {
        return ((VLinkRequest.Connect) VLinkRequest.decode(request)).token();
    }

    /// It says the word, and makes the way back then: the two go by one link, in this order.
    private record Early(
            String word, CompletableFuture<OutChannel> back, Callable<OutChannel> opening)
            implements Acceptor.Receiver {
        @Override
        public void attach(InChannel incoming) {
            incoming.refuseRest(word);
            var _ = back.completeAsync(this::opened);
        }

        private OutChannel opened() {
            return Background.call(opening).join();
        }

        @Override
        public void failed(String why) {
            // nothing was promised
        }

        @Override
        public void cancelled(InChannel incoming) {
            incoming.ended();
        }
    }
}
