package org.ibidem.connect;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.function.Consumer;

/// What stands for a handshake where connect methods are tested, a letter each: `?` from the end
/// that asked, the other's name, `!` when that one is taken.
public final class Proof {
    private Proof() {}

    /// Of the end that asked.
    ///
    /// @param made is shown each connection
    public static Check<SocketChannel> asking(char wanted, Consumer<SocketChannel> made) {
        return path -> {
            var channel = ((SocketPath) path).socket();
            made.accept(channel);
            write(channel, '?');
            char name = read(channel);
            if (name != wanted) {
                throw new IOException("proved to be " + name);
            }
            return () -> {
                write(channel, '!');
                return channel;
            };
        };
    }

    /// Of the end that is asked.
    ///
    /// @param made is shown each connection
    public static Check<SocketChannel> answering(char name, Consumer<SocketChannel> made) {
        return path -> {
            var channel = ((SocketPath) path).socket();
            made.accept(channel);
            if (read(channel) != '?') {
                throw new IOException("not asked");
            }
            write(channel, name);
            if (read(channel) != '!') {
                throw new IOException("not taken");
            }
            return () -> channel;
        };
    }

    /// Says one letter.
    public static void write(SocketChannel channel, char letter) throws IOException {
        channel.write(ByteBuffer.wrap(new byte[] {(byte) letter}));
    }

    /// Hears one letter.
    public static char read(SocketChannel channel) throws IOException {
        var letter = ByteBuffer.allocate(1);
        if (channel.read(letter) != 1) {
            throw new IOException("ended");
        }
        return (char) letter.get(0);
    }
}
