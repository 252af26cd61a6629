package org.ibidem.mpj.device.circuit;

/// What waits to be written to a peer.
interface Item {
    /// Writes as much as there is room for.
    ///
    /// @return whether that was all
    boolean write(Peer peer);

    /// A small header and nothing more.
    record Word(int kind, int request, long value) implements Item {
        @Override
        public boolean write(Peer peer) {
            if (!peer.claims(Header.SMALL)) {
                return false;
            }
            Header.write(peer.room, kind, request, value);
            peer.commit(true);
            return true;
        }
    }
}
