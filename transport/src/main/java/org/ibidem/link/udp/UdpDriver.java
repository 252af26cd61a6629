package org.ibidem.link.udp;

import org.ibidem.link.Delivering;
import org.ibidem.link.DeliveryFaults;
import org.ibidem.link.Domain;
import org.ibidem.link.Driver;
import org.ibidem.task.Tasks;

/// The network driver `udp` (RFC 768): frames as datagrams, through one socket of the node. Frames
/// may be lost, come twice, or out of order.
public final class UdpDriver implements Driver, Delivering {
    /// Found by its `provides` line.
    public UdpDriver() {}

    @Override
    public String name() {
        return "udp";
    }

    @Override
    public Class<Udp> options() {
        return Udp.class;
    }

    @Override
    public Domain domain(Tasks tasks, boolean open) {
        return new UdpDomain(tasks, open);
    }

    @Override
    public DeliveryFaults delivery(DeliveryFaults below, Record options) {
        return DeliveryFaults.LOSSY;
    }
}
