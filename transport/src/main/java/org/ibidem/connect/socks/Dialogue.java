package org.ibidem.connect.socks;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.charset.StandardCharsets;

/// What is said to a proxy, and heard from it: exactly so many bytes, for those behind them are the
/// peer's.
final class Dialogue {
    private static final int LONGEST_HEAD = 8192;
    private static final int SHOWN = 60;

    private final ByteChannel channel;

    /// @param channel in blocking mode; whoever has it closes it when the time is over
    Dialogue(ByteChannel channel) {
        this.channel = channel;
    }

    void say(byte[] bytes) throws IOException {
        for (var buffer = ByteBuffer.wrap(bytes); buffer.hasRemaining(); ) {
            channel.write(buffer);
        }
    }

    /// @throws ProxyFailed when it ends before
    byte[] hear(int bytes) throws IOException {
        var buffer = ByteBuffer.allocate(bytes);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                throw new ProxyFailed("the proxy ended the connection");
            }
        }
        return buffer.array();
    }

    /// All up to the first empty line.
    ///
    /// @throws ProxyFailed when there is none among the first 8192 bytes
    String head() throws IOException {
        var head = new StringBuilder();
        while (head.length() < LONGEST_HEAD) {
            head.append((char) (hear(1)[0] & 0xff));
            int end = head.length();
            if (head.charAt(end - 1) == '\n'
                    && (head.indexOf("\r\n\r\n", Math.max(0, end - 4)) >= 0
                            || head.indexOf("\n\n", Math.max(0, end - 2)) >= 0)) {
                return head.toString();
            }
        }
        throw garbage(head.toString());
    }

    /// What came is not what a proxy says.
    ProxyFailed garbage(String heard) {
        var shown = heard.substring(0, Math.min(SHOWN, heard.length()));
        return new ProxyFailed(
                "the proxy answered with garbage ('"
                        + shown.replaceAll("[^ -~]", ".")
                        + "'): is it of this kind?");
    }

    /// The same for bytes.
    ProxyFailed garbage(byte[] heard) {
        return garbage(new String(heard, StandardCharsets.ISO_8859_1));
    }
}
