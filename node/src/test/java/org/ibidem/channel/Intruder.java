package org.ibidem.channel;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.ibidem.buffer.BufferPool;
import org.ibidem.buffer.ControlWriter;
import org.ibidem.channel.ChannelMessages.Accept;
import org.ibidem.channel.ChannelMessages.Broken;
import org.ibidem.channel.ChannelMessages.Cancel;
import org.ibidem.channel.ChannelMessages.Done;
import org.ibidem.channel.ChannelMessages.GivenUp;
import org.ibidem.channel.ChannelMessages.Offer;
import org.ibidem.channel.ChannelMessages.Open;
import org.ibidem.channel.ChannelMessages.Opened;
import org.ibidem.channel.ChannelMessages.Refuse;
import org.ibidem.config.NotationException;
import org.ibidem.connect.SocketPath;
import org.ibidem.control.ControlLink;
import org.ibidem.control.Peers;
import org.ibidem.handshake.Admission;
import org.ibidem.handshake.Hello;
import org.ibidem.link.Catalog;
import org.ibidem.link.Terms;
import org.ibidem.stack.FramesOverStream;
import org.ibidem.stack.Stack;
import org.ibidem.station.NodeRuntime;
import org.ibidem.topology.NodeId;

/// A member with a proved key that does what it likes with its connections.
public final class Intruder {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final int LONGEST = 1024;

    private final NodeRuntime mine;
    private final Random random;

    /// Explicit, timed, poll, fifo, reliable.
    private int capabilities = 0x127;

    private int connections;
    private String above = "";

    private Terms terms = FramesOverStream.terms(new BufferPool());

    /// Acts as this node.
    public Intruder(NodeRuntime mine, Random random) {
        this.mine = mine;
        this.random = random;
    }

    /// Asks for a channel to a receive port as a send port does.
    ///
    /// @return the reason of the refusal, or empty when it was accepted
    public String ask(NodeId victim, String key, String stack, String port) {
        return ask(victim, key, above + stack, request(port, stack));
    }

    /// Asks for a channel over a link of this stack.
    ///
    /// @param request what a send port says of itself
    /// @return the reason of the refusal, or empty when it was accepted
    public String ask(NodeId victim, String key, String stack, byte[] request) {
        return asked(victim, open(key, stack, true, request));
    }

    private String asked(NodeId victim, Open question) {
        var answer = mine.peers().request(victim, Peers.OPEN, question.encode(), LIMIT);
        return switch (Opened.decode(answer)) {
            case Accept _ -> "";
            case Refuse(int _, long _, String why) -> why;
        };
    }

    private Open open(String key, String stack, boolean fresh, byte[] request) {
        return new Open("port", key, fresh, new Offer(stack, versions(stack), terms), request);
    }

    private static String versions(String stack) {
        try {
            return Stack.parse(stack, Catalog.found()).versions();
        } catch (NotationException e) {
            return "";
        }
    }

    private byte[] request(String port, String stack) {
        return new ControlWriter(LONGEST)
                .text(port, LONGEST)
                .text("evil", LONGEST)
                .i64(1)
                .text("", LONGEST)
                .u8(connections)
                .i32(capabilities)
                .u8(1)
                .text("", LONGEST)
                .text(stack, LONGEST)
                .toBytes();
    }

    /// Asks for a channel to the receive port 'in', from a machine that is not as this one.
    ///
    /// @return the reason of the refusal, or empty when it was accepted
    public String ask(NodeId victim, String stack, String versions, Terms terms) {
        var offer = new Offer(stack, versions, terms);
        return asked(victim, new Open("port", key(), true, offer, request("in", stack)));
    }

    /// As if from such a machine.
    public Intruder on(Terms machine) {
        terms = machine;
        return this;
    }

    /// With these filters put above the stack of the port's type: `whole > `.
    public Intruder above(String filters) {
        above = filters;
        return this;
    }

    /// Says that a channel to the victim has ended.
    ///
    /// @param number the victim's of the channel
    public void done(NodeId victim, int number) {
        mine.peers().request(victim, Peers.DONE, new Done(number).encode(), LIMIT);
    }

    /// Says that a channel to the victim is given up.
    ///
    /// @param number the victim's of the channel
    public void givenUp(NodeId victim, int number) {
        var message = new GivenUp(number, "for this test").encode();
        mine.peers().request(victim, Peers.GIVEN_UP, message, LIMIT);
    }

    /// Says that the link with this key broke.
    public void broken(NodeId victim, String key) {
        var message = new Broken(key, "for this test").encode();
        mine.peers().request(victim, Peers.BROKEN, message, LIMIT);
    }

    /// Gives up what was asked for under this key.
    public void cancel(NodeId victim, String key) {
        mine.peers().request(victim, Peers.CANCEL, new Cancel(key).encode(), LIMIT);
    }

    /// With these capabilities instead of the usual ones.
    public Intruder capabilities(int bits) {
        capabilities = bits;
        return this;
    }

    /// With several senders to one receiver instead of one to one.
    public Intruder manyToOne() {
        connections = 1;
        return this;
    }

    /// A key for a link.
    public String key() {
        var bytes = new byte[ChannelMessages.KEY / 2];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /// The connection of a link that was asked for.
    public SocketChannel dial(NodeId victim, String key, String stack) {
        return ((SocketPath) mine.peers().dialData(victim, stack, key, LIMIT).path()).socket();
    }

    /// From now on answers whoever asks for a channel with what `answer` makes of the question.
    public void answer(UnaryOperator<byte[]> answer) {
        mine.peers().serve(Peers.OPEN, (_, question) -> answer.apply(question));
    }

    /// From now on says yes to whoever asks for a channel, and never a word over the link for it.
    public void promise() {
        mine.peers().serveData((_, _) -> new Admission.Welcome(), _ -> {});
        answer(question -> yes(Open.decode(question).key()));
    }

    /// "Yes, over this link."
    public static byte[] yes(String key) {
        return new Accept(key, 1, FramesOverStream.terms(new BufferPool())).encode();
    }

    /// A service link over which anything may be said.
    public ControlLink control(NodeRuntime victim) throws IOException {
        var channel = SocketChannel.open(victim.listener().addresses().getFirst());
        var proved =
                mine.handshake()
                        .initiate(new SocketPath(channel), Hello.service("test", victim.id()));
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
                    message(0, Peers.OPEN, open(key(), "tcp", random.nextBoolean(), body).encode());
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
