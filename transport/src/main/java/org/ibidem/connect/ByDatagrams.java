package org.ibidem.connect;

import org.ibidem.topology.Contact;

/// A method that makes paths of datagrams, too.
public interface ByDatagrams extends ConnectMethod {
    /// As [#connect], with a [org.ibidem.link.DatagramPath] for the check.
    ///
    /// @param context with a place where paths of datagrams begin
    /// @throws Unreachable with every address tried and why each failed
    <T> T connectByDatagrams(Contact peer, Check<T> check, MethodContext context);
}
