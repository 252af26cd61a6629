package org.ibidem.service;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.ibidem.buffer.ControlWriter;
import org.ibidem.service.ChannelMessages.Open;
import org.ibidem.service.ChannelMessages.Opened;
import org.ibidem.topology.NodeId;

/// A member with a proved key that does what it likes with its connections.
public final class Intruder {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final int LONGEST = 1024;

    private final Station mine;
    private final Random random;

    /// Acts as this node.
    public Intruder(Station mine, Random random) {
        this.mine = mine;
        this.random = random;
    }

    /// Asks for a channel to a receive port as a send port does.
    ///
    /// @return the reason of the refusal, or empty when it was accepted
    public String ask(NodeId victim, String key, String stack, String port) {
        var opened =
                Opened.decode(
                        mine.peers()
                                .request(
                                        victim,
                                        Peers.OPEN,
                                        new Open("port", key, true, stack, request(port, stack))
                                                .encode(),
                                        LIMIT));
        return opened.accepted() ? "" : opened.why();
    }

    private static byte[] request(String port, String stack) {
        return new ControlWriter(LONGEST)
                .text(port, LONGEST)
                .text("evil", LONGEST)
                .u8(0)
                .text(stack, LONGEST)
                .text("none", LONGEST)
                .toBytes();
    }

    /// A key for a link.
    public String key() {
        var bytes = new byte[ChannelMessages.KEY / 2];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /// The connection of a link that was asked for.
    public SocketChannel dial(NodeId victim, String key, String stack) {
        return mine.peers().dialData(victim, stack, key, LIMIT).channel();
    }

    /// From now on answers whoever asks for a channel with what `answer` makes of the question.
    public void answer(UnaryOperator<byte[]> answer) {
        mine.peers().serve(Peers.OPEN, (_, question) -> answer.apply(question));
    }

    /// "Yes, over this link."
    public static byte[] yes(String key) {
        return Opened.yes(key, 1).encode();
    }

    /// A service link over which anything may be said.
    public ControlLink control(Station victim) throws IOException {
        var channel = SocketChannel.open(victim.listener().addresses().getFirst());
        var proved = mine.handshake().initiate(channel, Hello.service("test", victim.id()));
        return ControlLink.over(proved, mine.tasks(), ControlLink.Limits.DEFAULT);
    }

    /// A message for a service link: nearly right, or not at all.
    public byte[] nonsense() {
        var body = new byte[random.nextInt(100)];
        random.nextBytes(body);
        return switch (random.nextInt(4)) {
            case 0 -> body;
            case 1 -> message(random.nextInt(4), random.nextInt(4), body);
            case 2 ->
                    message(
                            0,
                            Peers.OPEN,
                            new Open("port", key(), random.nextBoolean(), "tcp", body).encode());
            default -> message(3, Peers.CLOSE, new ChannelMessages.Close(1, "evil").encode());
        };
    }

    private byte[] message(int what, int kind, byte[] body) {
        return new ControlWriter(16 << 10)
                .u8(what)
                .i32(random.nextInt(10))
                .u8(kind)
                .raw(body)
                .toBytes();
    }
}
