package org.ibidem.lab.bench.relay;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import org.ibidem.connect.routed.RoutedFrames;

/// What comes over a trunk, frame by frame; of the data only how much it is.
final class Words {
    private static final int BUFFER = 512 << 10;

    private final SocketChannel trunk;
    private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER).order(ByteOrder.LITTLE_ENDIAN);

    Words(SocketChannel trunk) {
        this.trunk = trunk;
    }

    /// Takes one frame.
    interface Taker {
        /// Is shown the next one.
        ///
        /// @param value the length of data, or what is granted
        void take(int kind, int number, int value) throws IOException;
    }

    /// Reads once, and hands over the frames that have wholly come.
    void next(Taker taker) throws IOException {
        if (trunk.read(in) < 0) {
            throw new EOFException("the hub has ended it");
        }
        in.flip();
        while (in.remaining() >= RoutedFrames.HEADER) {
            int at = in.position();
            int length = RoutedFrames.length(in.getInt(at));
            int whole = RoutedFrames.HEADER + length;
            if (in.remaining() < whole) {
                break;
            }
            int kind = RoutedFrames.kind(in.getInt(at));
            int value = kind == RoutedFrames.GRANT ? in.getInt(at + RoutedFrames.HEADER) : length;
            in.position(at + whole);
            taker.take(kind, in.getInt(at + Integer.BYTES), value);
        }
        in.compact();
    }
}
