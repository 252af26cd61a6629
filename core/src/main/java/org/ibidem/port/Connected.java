package org.ibidem.port;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.ibidem.IbidemException;

/// What became of connecting to several receive ports.
///
/// @param reached those that are connected now
/// @param failed the others, with the reason
public record Connected(List<Target> reached, Map<Target, IbidemException> failed) {
    /// Keeps its own copies.
    public Connected {
        reached = List.copyOf(reached);
        failed = Map.copyOf(failed);
    }

    /// Whether all were reached.
    public boolean all() {
        return failed.isEmpty();
    }

    /// Throws unless all were reached.
    ///
    /// @throws NotAllConnected with the reason of each
    public Connected orThrow() {
        if (!all()) {
            throw new NotAllConnected(this);
        }
        return this;
    }

    @Override
    public String toString() {
        return reached.size()
                + " reached"
                + failed.entrySet().stream()
                        .map(entry ->
                                "; not " + entry.getKey() + ": " + entry.getValue().getMessage())
                        .collect(Collectors.joining());
    }
}
