package org.ibidem.circuit;

import java.util.ArrayList;
import java.util.List;
import org.ibidem.station.Neighbourhood;
import org.ibidem.station.NodeRuntime;
import org.ibidem.topology.NodeId;

/// Nodes without a hub that know where each of them is.
final class Group implements AutoCloseable {
    private final Neighbourhood all = new Neighbourhood("test");
    final List<NodeRuntime> stations = new ArrayList<>();

    Group(int size) {
        for (int i = 0; i < size; i++) {
            add(false);
        }
    }

    /// @param far it finds nothing in common with the others but sockets
    NodeRuntime add(boolean far) {
        var station = far ? all.runtime("test", Neighbourhood::withoutPlaces) : all.runtime();
        stations.add(station);
        return station;
    }

    List<NodeId> ids() {
        return stations.stream().map(NodeRuntime::id).toList();
    }

    @Override
    public void close() {
        stations.forEach(NodeRuntime::close);
        all.close();
    }
}
