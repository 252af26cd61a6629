package org.ibidem.rmi;

import org.ibidem.port.Capability;
import org.ibidem.port.Data;
import org.ibidem.port.PortType;

/// Those of the ports by which nodes call each other.
///
/// @param calls to a node
/// @param replies back
/// @param givenUp by which a node hears of calls that are not wanted any more
record PortTypes(PortType calls, PortType replies, PortType givenUp) {
    static PortTypes over(String stack) {
        var replies =
                PortType.manyToOne()
                        .with(Capability.CONNECTION_UPCALLS)
                        .data(Data.OBJECT)
                        .stack(stack);
        return new PortTypes(
                replies.with(Capability.UPCALLS).named("rmi-calls"),
                replies.named("rmi-replies"),
                PortType.manyToOne().with(Capability.UPCALLS).named("rmi-given-up").stack(stack));
    }
}
