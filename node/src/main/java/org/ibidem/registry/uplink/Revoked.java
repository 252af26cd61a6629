package org.ibidem.registry.uplink;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.ibidem.identity.NodeKey;
import org.ibidem.topology.NodeId;
import org.ibidem.trust.NotTrusted;
import org.ibidem.trust.RevokedList;

/// The hub says which certificates count no more. A hub is not believed: the authority has signed
/// the list, and no older one takes the place of a newer one.
///
/// @param uplink to that hub, whose own certificate may be one of them
record Revoked(Uplink uplink, UplinkContext context) {
    private static final Logger LOG = System.getLogger(Revoked.class.getName());

    /// Takes a list, and ends what there is with those who are on it.
    void take(byte[] list) {
        try {
            context.handshake().identity().trust().accept(RevokedList.of(list));
            context.tasks().start("end what was revoked", this::end);
        } catch (NotTrusted e) {
            LOG.log(Level.WARNING, "the hub has sent what is not taken: {0}", e.getMessage());
        }
    }

    private void end() {
        for (var key : context.handshake().identity().trust().revoked(context.pool())) {
            end(NodeKey.of(key).id());
        }
    }

    private void end(NodeId revoked) {
        var link = uplink.link();
        if (revoked.equals(context.self().id())) {
            uplink.depart(
                    "this node is no longer a member of pool '%s': its certificate was revoked; have another one issued, for a new key"
                            .formatted(context.pool()));
        } else if (link != null && link.peer().equals(revoked)) {
            link.close("the certificate of this hub was revoked");
        } else {
            var why = "the certificate of node " + revoked.brief() + " was revoked";
            context.cut().accept(revoked, why);
        }
    }
}
