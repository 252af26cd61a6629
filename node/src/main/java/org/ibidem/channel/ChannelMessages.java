package org.ibidem.channel;

import java.nio.ByteOrder;
import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.ControlWriter;
import org.ibidem.link.Terms;

/// What two nodes say to each other over the service link about channels. Format:
/// `docs/wire/channels.md`.
final class ChannelMessages {
    static final int KEY = 32;
    static final int LONGEST_KIND = 16;
    static final int LONGEST_STACK = 1024;
    static final int LONGEST_REQUEST = 8 << 10;
    static final int LONGEST_REASON = 1024;
    private static final int LONGEST_BREAK = 512;
    private static final int LARGEST = 16 << 10;

    private ChannelMessages() {}

    /// What the asking end can do.
    ///
    /// @param stack of the link, in the stack notation
    /// @param versions of the drivers in it
    /// @param terms its byte order and the largest frame it takes
    record Offer(String stack, String versions, Terms terms) {}

    /// "I want a channel."
    ///
    /// @param kind who is to answer, such as `port`
    /// @param key of the link that will be made for it, unless there is one with a free direction
    /// @param fresh only that link will do
    /// @param offer what the link is to be made of
    /// @param request in the format of the kind
    record Open(String kind, String key, boolean fresh, Offer offer, byte[] request) {
        byte[] encode() {
            var to =
                    new ControlWriter(LARGEST)
                            .text(kind, LONGEST_KIND)
                            .text(key, KEY)
                            .u8(fresh ? 1 : 0)
                            .text(offer.stack, LONGEST_STACK)
                            .text(offer.versions, LONGEST_STACK);
            return write(offer.terms, to).bytes(request, LONGEST_REQUEST).toBytes();
        }

        static Open decode(byte[] message) {
            var in = new ControlReader(message);
            var kind = in.name("kind", LONGEST_KIND);
            var key = in.name("key", KEY);
            if (!key.matches("[0-9a-f]{" + KEY + "}")) {
                throw in.bad("key", "not " + KEY + " hexadecimal digits");
            }
            boolean fresh = flag("fresh", in);
            var offer =
                    new Offer(
                            in.name("stack", LONGEST_STACK),
                            in.name("versions", LONGEST_STACK),
                            terms(in));
            var open = new Open(kind, key, fresh, offer, in.bytes("request", LONGEST_REQUEST));
            in.end();
            return open;
        }
    }

    private static boolean flag(String what, ControlReader in) {
        int value = in.u8(what);
        if (value > 1) {
            throw in.bad(what, value + " is neither 0 nor 1");
        }
        return value == 1;
    }

    private static ControlWriter write(Terms terms, ControlWriter to) {
        return to.u8(terms.order() == ByteOrder.BIG_ENDIAN ? 1 : 0).i32(terms.frame());
    }

    private static Terms terms(ControlReader in) {
        boolean big = flag("byte order", in);
        int frame = in.i32("largest frame");
        try {
            return new Terms(big ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN, frame);
        } catch (IllegalArgumentException e) {
            throw in.bad("largest frame", String.valueOf(e.getMessage()));
        }
    }

    /// The answer to [Open].
    sealed interface Opened {
        /// Reads either answer.
        static Opened decode(byte[] message) {
            var in = new ControlReader(message);
            Opened opened =
                    flag("accepted", in)
                            ? new Accept(in.name("key", KEY), in.i32("number"), terms(in))
                            : new Refuse(
                                    in.i32("number"),
                                    in.i64("state"),
                                    in.reason("why", LONGEST_REASON));
            in.end();
            return opened;
        }

        byte[] encode();
    }

    /// It is wanted.
    ///
    /// @param key of the link to use
    /// @param number the receiver's number of the channel
    /// @param terms what the receiver can do
    record Accept(String key, int number, Terms terms) implements Opened {
        @Override
        public byte[] encode() {
            return write(terms, new ControlWriter(LARGEST).u8(1).text(key, KEY).i32(number))
                    .toBytes();
        }
    }

    /// It is not.
    ///
    /// @param code for programs
    /// @param state of the node that refuses: when it is another one, asking again may help; or
    ///   [#FOR_GOOD]
    /// @param why for people
    record Refuse(int code, long state, String why) implements Opened {
        /// Asking again will not help.
        static final long FOR_GOOD = -1;

        static Refuse forGood(int code, String why) {
            return new Refuse(code, FOR_GOOD, why);
        }

        Refuse {
            why = ControlWriter.shortened(why, LONGEST_REASON);
        }

        @Override
        public byte[] encode() {
            return new ControlWriter(LARGEST)
                    .u8(0)
                    .i32(code)
                    .i64(state)
                    .text(why, LONGEST_REASON)
                    .toBytes();
        }
    }

    /// "Tell me when your state is no longer this", from who was refused for what is not there yet.
    /// The answer is empty.
    ///
    /// @param state from [Refuse]
    /// @param patience milliseconds after which it shall be answered anyway
    record Await(long state, int patience) {
        byte[] encode() {
            return new ControlWriter(LARGEST).i64(state).i32(patience).toBytes();
        }

        static Await decode(byte[] message) {
            var in = new ControlReader(message);
            var await = new Await(in.i64("state"), in.i32("patience"));
            if (await.patience < 0) {
                throw in.bad("patience", await.patience + " ms are less than none");
            }
            in.end();
            return await;
        }
    }

    /// "I want no more of this channel", from its receiver.
    ///
    /// @param channel the receiver's number of it
    /// @param why for people
    record Close(int channel, String why) {
        byte[] encode() {
            return new ControlWriter(LARGEST)
                    .i32(channel)
                    .text(ControlWriter.shortened(why, LONGEST_REASON), LONGEST_REASON)
                    .toBytes();
        }

        static Close decode(byte[] message) {
            var in = new ControlReader(message);
            var close = new Close(in.i32("channel"), in.reason("why", LONGEST_REASON));
            in.end();
            return close;
        }
    }

    /// "I have ended this channel", from its sender, where the frame that says so may be lost.
    ///
    /// @param channel the receiver's number of it
    record Done(int channel) {
        byte[] encode() {
            return new ControlWriter(LARGEST).i32(channel).toBytes();
        }

        static Done decode(byte[] message) {
            var in = new ControlReader(message);
            var done = new Done(in.i32("channel"));
            in.end();
            return done;
        }
    }

    /// "This data link broke at my end."
    ///
    /// @param key of the link
    /// @param why for people
    record Broken(String key, String why) {
        Broken {
            why = ControlWriter.shortened(why, LONGEST_BREAK);
        }

        byte[] encode() {
            return new ControlWriter(LARGEST).text(key, KEY).text(why, LONGEST_BREAK).toBytes();
        }

        static Broken decode(byte[] message) {
            var in = new ControlReader(message);
            var broken = new Broken(in.name("key", KEY), in.reason("why", LONGEST_BREAK));
            in.end();
            return broken;
        }
    }

    /// "This data link was idle, and is closed at my end."
    ///
    /// @param key of the link
    record Retired(String key) {
        byte[] encode() {
            return new ControlWriter(LARGEST).text(key, KEY).toBytes();
        }

        static Retired decode(byte[] message) {
            var in = new ControlReader(message);
            var retired = new Retired(in.name("key", KEY));
            in.end();
            return retired;
        }
    }

    /// "I gave this channel up in the middle", from its sender.
    ///
    /// @param channel the receiver's number of it
    /// @param why for people
    record GivenUp(int channel, String why) {
        GivenUp {
            why = ControlWriter.shortened(why, LONGEST_BREAK);
        }

        byte[] encode() {
            return new ControlWriter(LARGEST).i32(channel).text(why, LONGEST_BREAK).toBytes();
        }

        static GivenUp decode(byte[] message) {
            var in = new ControlReader(message);
            var givenUp = new GivenUp(in.i32("channel"), in.reason("why", LONGEST_BREAK));
            in.end();
            return givenUp;
        }
    }

    /// "I gave up what I asked for under this key, and used nothing of it", from who asked.
    ///
    /// @param key of the [Open]
    record Cancel(String key) {
        byte[] encode() {
            return new ControlWriter(LARGEST).text(key, KEY).toBytes();
        }

        static Cancel decode(byte[] message) {
            var in = new ControlReader(message);
            var cancel = new Cancel(in.name("key", KEY));
            in.end();
            return cancel;
        }
    }
}
