package org.ibidem.port;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.ibidem.registry.Node;
import org.ibidem.registry.access.Runtimes;
import org.ibidem.registry.coordination.PoolRestarted;

/// Numbers that are unique and increasing over all send ports of one type in the pool: those of a
/// sequence of the hub that is named after the type.
final class TotalNumbers extends Numbers {
    private static final String PREFIX = "ibidem.port.";
    private static final long NONE_YET = 0;

    private final JointDraw draw;

    /// The life of the hub's state that the last number was from.
    private long epoch = NONE_YET;

    TotalNumbers(Node node, PortType type) {
        this.draw = Runtimes.of(node).room(Draws.class, () -> new Draws(node)).of(sequence(type));
    }

    /// The sequences that this node's ports draw from.
    private record Draws(Node node, Map<String, JointDraw> byName) {
        Draws(Node node) {
            this(node, new ConcurrentHashMap<>());
        }

        JointDraw of(String sequence) {
            return byName.computeIfAbsent(sequence, name -> new JointDraw(node.sequences(), name));
        }
    }

    /// The next one; not before all that were given to anybody before this call.
    ///
    /// @throws PoolRestarted once, when the numbers begin anew
    @Override
    long next() {
        try {
            var drawn = draw.next();
            boolean anew = epoch != NONE_YET && epoch != drawn.epoch();
            epoch = drawn.epoch();
            if (anew) {
                throw new PoolRestarted(
                        "the hub was started again without its state, and the total numbers of"
                                + " messages begin anew; this message was not begun, the next one"
                                + " will have its number");
            }
            return drawn.number();
        } catch (PoolRestarted e) {
            epoch = NONE_YET; // it is said once
            throw e;
        }
    }

    /// Types that are equal have one sequence. (Should two others have one, it would do no harm.)
    static String sequence(PortType type) {
        var shown = type.toString().getBytes(StandardCharsets.UTF_8);
        try {
            return PREFIX
                    + HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(shown));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
