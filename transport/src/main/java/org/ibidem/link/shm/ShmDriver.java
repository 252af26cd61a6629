package org.ibidem.link.shm;

import org.ibidem.link.Domain;
import org.ibidem.link.Driver;
import org.ibidem.task.Tasks;

/// The network driver `shm`: two processes on one Linux machine, over rings in a shared mapping.
/// Pure Java.
public final class ShmDriver implements Driver {
    /// Found by its `provides` line.
    public ShmDriver() {}

    @Override
    public String name() {
        return "shm";
    }

    @Override
    public Class<Shm> options() {
        return Shm.class;
    }

    @Override
    public boolean overConnections() {
        return false;
    }

    @Override
    public Domain domain(Tasks tasks, boolean open) {
        return new ShmDomain();
    }
}
