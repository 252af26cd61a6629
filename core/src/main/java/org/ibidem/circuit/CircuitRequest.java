package org.ibidem.circuit;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.CRC32C;
import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.ControlWriter;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// What a member says when it asks another for a link of a circuit.
///
/// ```
/// | name | member i32 | members i32 | group u32 | stack |
/// ```
///
/// Each text: length u16, UTF-8. Format: `docs/wire/circuit.md`.
///
/// @param name of the circuit
/// @param member who asks, by its number
/// @param members how many there are
/// @param group sum of who they are, in their order
/// @param stack as the circuit was opened with
record CircuitRequest(String name, int member, int members, int group, String stack) {
    static final int LONGEST_NAME = 255;
    static final int MOST_MEMBERS = 1 << 16;
    private static final int LONGEST_STACK = 1024;
    private static final int LARGEST = 4 << 10;

    byte[] encode() {
        return new ControlWriter(LARGEST)
                .text(name, LONGEST_NAME)
                .i32(member)
                .i32(members)
                .i32(group)
                .text(stack, LONGEST_STACK)
                .toBytes();
    }

    static CircuitRequest decode(byte[] request) {
        var in = new ControlReader(request);
        var name = in.name("name", LONGEST_NAME);
        int member = in.i32("member");
        int members = in.i32("members");
        if (members < 1 || members > MOST_MEMBERS || member < 0 || member >= members) {
            throw in.bad("member", member + " of " + members + " is none");
        }
        int group = in.i32("group");
        var stack = in.name("stack", LONGEST_STACK);
        in.end();
        return new CircuitRequest(name, member, members, group, stack);
    }

    /// Why one who asks this way is refused by who would ask so; null: he is not.
    ///
    /// @param peer who asks
    /// @param all the members, as they are here
    @Nullable String refusal(CircuitRequest asked, NodeId peer, List<NodeId> all) {
        if (asked.members != members || asked.group != group) {
            return "the members of circuit '" + name + "' are others here, or in another order";
        }
        if (!all.get(asked.member).equals(peer)) {
            return "it is not member "
                    + asked.member
                    + " of circuit '"
                    + name
                    + "', but node "
                    + all.get(asked.member).brief()
                    + " is";
        }
        return asked.stack.equals(stack)
                ? null
                : "the stacks of circuit '"
                        + name
                        + "' differ: '"
                        + stack
                        + "' here, '"
                        + asked.stack
                        + "' there";
    }

    /// The sum of who the members are.
    static int sum(List<NodeId> members) {
        var sum = new CRC32C();
        var bytes = ByteBuffer.allocate(NodeId.BYTES);
        for (var member : members) {
            sum.update(bytes.clear().putLong(member.high()).putLong(member.low()).flip());
        }
        return (int) sum.getValue();
    }
}
