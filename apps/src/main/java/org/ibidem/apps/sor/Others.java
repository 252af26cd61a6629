package org.ibidem.apps.sor;

import java.util.List;
import org.ibidem.registry.Member;

/// The other processes, as an iteration sees them: over ports, or by remote calls.
interface Others extends AutoCloseable {
    /// Connects to them, once they are all there.
    ///
    /// @param members all processes, by rank
    void connect(List<Member> members);

    /// Sends the cells of one colour in the block's outermost rows to the processes next to it.
    void send(Block block, int colour);

    /// Receives the cells of one colour in the rows next to the block's; waits for them.
    void receive(Block block, int colour);

    /// What all processes came to, each of which calls this with its own residual.
    Tally reduce(double residual);

    /// Gives the whole field to `reader` on rank 0; all others call it, too.
    void gather(Block block, RowReader reader);

    @Override
    void close();
}
