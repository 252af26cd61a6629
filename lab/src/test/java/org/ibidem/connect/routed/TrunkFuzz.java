package org.ibidem.connect.routed;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.util.List;
import org.ibidem.buffer.Malformed;
import org.ibidem.connect.SocketPath;
import org.ibidem.lab.fuzz.Never;
import org.ibidem.topology.NodeId;

/// What a hub, or another node, sends on a trunk: frames that are taken, or a violation; whatever
/// comes, no more is kept of a stream than was granted.
public final class TrunkFuzz {
    private static final NodeId ME = new NodeId(1, 2);
    private static final NodeId OTHER = new NodeId(3, 4);
    private static final List<TrunkEnds> ENDS =
            List.of(
                    TrunkEnds.toHub(ME),
                    new TrunkEnds(ME, OTHER, true),
                    new TrunkEnds(ME, OTHER, false));

    private TrunkFuzz() {}

    /// Called by the fuzzer.
    public static void fuzzerTestOneInput(byte[] input) throws IOException {
        for (var ends : ENDS) {
            take(input, ends);
        }
    }

    private static void take(byte[] input, TrunkEnds ends) throws IOException {
        try (var channel = SocketChannel.open();
                var trunk = new Trunk(new SocketPath(channel), ends, new Never(), _ -> {})) {
            try {
                trunk.takeAll(ByteBuffer.wrap(input).order(ByteOrder.LITTLE_ENDIAN));
            } catch (Malformed _) {
                // as it must be
            }
        }
    }
}
