package org.ibidem.port;

/// What a send port does about connections that are over.
@FunctionalInterface
public interface LossUpcall {
    /// A connection is over: its receiver closed it, or it broke.
    void lost(SendPort port, Lost<Target> connection);
}
