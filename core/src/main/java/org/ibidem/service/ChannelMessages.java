package org.ibidem.service;

import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.ControlWriter;

/// What two nodes say to each other over the service link about channels. Format:
/// `docs/wire/channels.md`.
final class ChannelMessages {
    static final int KEY = 32;
    static final int LONGEST_KIND = 16;
    static final int LONGEST_STACK = 1024;
    static final int LONGEST_REQUEST = 8 << 10;
    static final int LONGEST_REASON = 1024;
    private static final int LARGEST = 16 << 10;

    private ChannelMessages() {}

    /// "I want a channel."
    ///
    /// @param kind who is to answer, such as `port`
    /// @param key of the link that will be made for it, unless there is one with a free direction
    /// @param fresh only that link will do
    /// @param stack in the stack notation
    /// @param request in the format of the kind
    record Open(String kind, String key, boolean fresh, String stack, byte[] request) {
        byte[] encode() {
            return new ControlWriter(LARGEST)
                    .text(kind, LONGEST_KIND)
                    .text(key, KEY)
                    .u8(fresh ? 1 : 0)
                    .text(stack, LONGEST_STACK)
                    .bytes(request, LONGEST_REQUEST)
                    .toBytes();
        }

        static Open decode(byte[] message) {
            var in = new ControlReader(message);
            var kind = in.text("kind", LONGEST_KIND);
            var key = in.text("key", KEY);
            if (!key.matches("[0-9a-f]{" + KEY + "}")) {
                throw in.bad("key", "not " + KEY + " hexadecimal digits");
            }
            int fresh = in.u8("fresh");
            if (fresh > 1) {
                throw in.bad("fresh", fresh + " is neither 0 nor 1");
            }
            var open =
                    new Open(
                            kind,
                            key,
                            fresh == 1,
                            in.text("stack", LONGEST_STACK),
                            in.bytes("request", LONGEST_REQUEST));
            in.end();
            return open;
        }
    }

    /// The answer to [Open].
    ///
    /// @param accepted whether the channel is wanted
    /// @param key of the link to use
    /// @param number the receiver's number of the channel, or the reason's code
    /// @param why the reason of a refusal
    record Opened(boolean accepted, String key, int number, String why) {
        static Opened yes(String key, int channel) {
            return new Opened(true, key, channel, "");
        }

        static Opened no(int code, String why) {
            return new Opened(false, "", code, ControlWriter.shortened(why, LONGEST_REASON));
        }

        byte[] encode() {
            return new ControlWriter(LARGEST)
                    .u8(accepted ? 1 : 0)
                    .text(key, KEY)
                    .i32(number)
                    .text(why, LONGEST_REASON)
                    .toBytes();
        }

        static Opened decode(byte[] message) {
            var in = new ControlReader(message);
            int accepted = in.u8("accepted");
            if (accepted > 1) {
                throw in.bad("accepted", accepted + " is neither 0 nor 1");
            }
            var opened =
                    new Opened(
                            accepted == 1,
                            in.text("key", KEY),
                            in.i32("number"),
                            in.text("why", LONGEST_REASON));
            in.end();
            return opened;
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
            var close = new Close(in.i32("channel"), in.text("why", LONGEST_REASON));
            in.end();
            return close;
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
            var cancel = new Cancel(in.text("key", KEY));
            in.end();
            return cancel;
        }
    }
}
