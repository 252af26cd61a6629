package org.ibidem.vlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.ibidem.channel.Acceptor;
import org.ibidem.channel.ChannelRefused;
import org.ibidem.stack.Stack;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The way back of a VLink comes from the node that was connected to, and from no other.
@Timeout(60)
class StrangersTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @Test
    void a_stranger_cannot_be_the_way_back_of_a_vlink() throws Exception {
        try (var pair = new Pair();
                var slow = pair.runtime();
                var stranger = pair.runtime()) {
            var asked = new CompletableFuture<Long>();
            var mayAnswer = new CompletableFuture<Void>();
            slow.channels()
                    .serve(
                            "vlink",
                            (_, _, _, request) -> {
                                var connect = (VLinkRequest.Connect) VLinkRequest.decode(request);
                                asked.complete(connect.token());
                                mayAnswer.join();
                                return new Acceptor.No(1, "not after all");
                            });
            var link = pair.from.connect(slow.id(), "echo", "tcp", "", LIMIT);
            var back = new VLinkRequest.Back(asked.get(20, TimeUnit.SECONDS)).encode();
            var stack = Stack.parse("tcp", stranger.catalog());
            assertThatThrownBy(() ->
                            stranger.channels().open(pair.one.id(), "vlink", stack, back, LIMIT))
                    .isInstanceOf(ChannelRefused.class)
                    .hasMessageContaining("no VLink is being connected under this token");
            assertThat(link.isDone()).isFalse();
            mayAnswer.complete(null);
        }
    }
}
