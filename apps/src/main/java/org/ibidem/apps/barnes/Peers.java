package org.ibidem.apps.barnes;

import java.util.List;
import org.ibidem.registry.Member;

/// All processes of the job, as one of them sees them: over ports, or by remote calls.
interface Peers extends AutoCloseable {
    /// Connects to them, once they are all there.
    ///
    /// @param members all processes, by rank
    void connect(List<Member> members);

    /// Tells all others these numbers, and waits for theirs.
    ///
    /// @return by rank
    double[][] all(double[] mine);

    @Override
    void close();
}
