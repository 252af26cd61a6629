package org.ibidem.port;

import org.ibidem.IbidemException;

/// A second receive port of the same name on one node.
public final class PortNameTaken extends IbidemException {
    private static final long serialVersionUID = 1L;

    PortNameTaken(String name) {
        super(
                "this node has a receive port '"
                        + name
                        + "' already; close it or choose another name");
    }
}
