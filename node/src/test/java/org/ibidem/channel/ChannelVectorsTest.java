package org.ibidem.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteOrder;
import java.util.function.Consumer;
import org.ibidem.Vectors;
import org.ibidem.buffer.Malformed;
import org.ibidem.channel.ChannelMessages.Accept;
import org.ibidem.channel.ChannelMessages.Await;
import org.ibidem.channel.ChannelMessages.Broken;
import org.ibidem.channel.ChannelMessages.Cancel;
import org.ibidem.channel.ChannelMessages.Close;
import org.ibidem.channel.ChannelMessages.Done;
import org.ibidem.channel.ChannelMessages.GivenUp;
import org.ibidem.channel.ChannelMessages.Offer;
import org.ibidem.channel.ChannelMessages.Open;
import org.ibidem.channel.ChannelMessages.Opened;
import org.ibidem.channel.ChannelMessages.Refuse;
import org.ibidem.channel.ChannelMessages.Retired;
import org.ibidem.link.Terms;
import org.junit.jupiter.api.Test;

/// The format of what is said about channels stays what the vectors say.
class ChannelVectorsTest {
    private static final String KEY = "00112233445566778899aabbccddeeff";

    private final Vectors vectors = Vectors.read("channels");

    ChannelVectorsTest() throws IOException {}

    @Test
    void channels_are_asked_for_so() {
        var little = new Terms(ByteOrder.LITTLE_ENDIAN, 65_532);
        var offer = new Offer("fragment(size=8k) > tcp", "fragment 1, tcp 1", little);
        var open = new Open("port", KEY, false, offer, new byte[] {1, 2, 3});
        assertThat(open.encode()).isEqualTo(vectors.get("open"));
        var read = Open.decode(vectors.get("open"));
        assertThat(read.kind()).isEqualTo("port");
        assertThat(read.key()).isEqualTo(KEY);
        assertThat(read.fresh()).isFalse();
        assertThat(read.offer()).isEqualTo(offer);
        assertThat(read.request()).containsExactly(1, 2, 3);
        var other = new Offer("tcp", "tcp 1", new Terms(ByteOrder.BIG_ENDIAN, 1020));
        assertThat(new Open("port", KEY, true, other, new byte[0]).encode())
                .isEqualTo(vectors.get("open.fresh"));
        assertThat(Open.decode(vectors.get("open.fresh")).offer()).isEqualTo(other);
    }

    @Test
    void answers_are_so() {
        var yes = new Accept(KEY, 7, new Terms(ByteOrder.LITTLE_ENDIAN, 65_532));
        assertThat(yes.encode()).isEqualTo(vectors.get("opened.yes"));
        assertThat(Opened.decode(vectors.get("opened.yes"))).isEqualTo(yes);
        var no = new Refuse(ChannelRefused.NO_SUCH_KIND, 9, "nobody é");
        assertThat(no.encode()).isEqualTo(vectors.get("opened.no"));
        assertThat(Opened.decode(vectors.get("opened.no"))).isEqualTo(no);
    }

    @Test
    void receivers_end_channels_so() {
        var close = new Close(7, "the receive port was closed");
        assertThat(close.encode()).isEqualTo(vectors.get("close"));
        assertThat(Close.decode(vectors.get("close"))).isEqualTo(close);
    }

    @Test
    void senders_over_what_loses_frames_end_channels_so() {
        assertThat(new Done(7).encode()).isEqualTo(vectors.get("done"));
        assertThat(Done.decode(vectors.get("done"))).isEqualTo(new Done(7));
    }

    @Test
    void who_has_lost_a_link_or_gives_a_channel_up_says_so() {
        var broken = new Broken(KEY, "lost");
        assertThat(broken.encode()).isEqualTo(vectors.get("broken"));
        assertThat(Broken.decode(vectors.get("broken"))).isEqualTo(broken);
        assertThat(new Retired(KEY).encode()).isEqualTo(vectors.get("retired"));
        assertThat(Retired.decode(vectors.get("retired"))).isEqualTo(new Retired(KEY));
        var givenUp = new GivenUp(7, "lost");
        assertThat(givenUp.encode()).isEqualTo(vectors.get("givenUp"));
        assertThat(GivenUp.decode(vectors.get("givenUp"))).isEqualTo(givenUp);
    }

    @Test
    void who_was_refused_waits_so() {
        var await = new Await(9, 17_500);
        assertThat(await.encode()).isEqualTo(vectors.get("await"));
        assertThat(Await.decode(vectors.get("await"))).isEqualTo(await);
    }

    @Test
    void who_asked_gives_up_so() {
        assertThat(new Cancel(KEY).encode()).isEqualTo(vectors.get("cancel"));
        assertThat(Cancel.decode(vectors.get("cancel"))).isEqualTo(new Cancel(KEY));
    }

    @Test
    void what_must_be_refused_is() {
        refused("bad.open.", 7, Open::decode);
        refused("bad.opened.", 3, Opened::decode);
        refused("bad.close.", 1, Close::decode);
        refused("bad.done.", 2, Done::decode);
        refused("bad.broken.", 1, Broken::decode);
        refused("bad.givenUp.", 1, GivenUp::decode);
        refused("bad.cancel.", 1, Cancel::decode);
        refused("bad.await.", 2, Await::decode);
    }

    private void refused(String prefix, int count, Consumer<byte[]> decode) {
        assertThat(vectors.starting(prefix))
                .hasSize(count)
                .allSatisfy((name, bytes) ->
                        assertThatThrownBy(() -> decode.accept(bytes))
                                .as(name)
                                .isInstanceOf(Malformed.class));
    }

    /// A reason may quote what a peer called itself.
    @Test
    void a_reason_too_long_is_cut_and_still_sent() {
        var emoji = "😀".repeat(400);
        assertThat(Opened.decode(Refuse.forGood(1, emoji).encode()))
                .isEqualTo(Refuse.forGood(1, "😀".repeat(256)));
        assertThat(Close.decode(new Close(1, "x" + emoji).encode()).why()).startsWith("x😀");
    }
}
