package org.ibidem.link;

import org.ibidem.topology.Contact;

/// Whether what a node sends must be encrypted, as far as that is known before there is a
/// connection.
public interface Secrecy {
    /// Nothing must: nobody vouches for nodes or sites.
    Secrecy NOT_ASKED =
            new Secrecy() {
                @Override
                public boolean asked() {
                    return false;
                }

                @Override
                public boolean mayBeClear(Contact peer) {
                    return true;
                }
            };

    /// Whether anything must.
    boolean asked();

    /// Whether it is worth trying to send in clear to a peer. Whether that is allowed is found out
    /// when there is a connection.
    boolean mayBeClear(Contact peer);
}
