/// Who a node is: a key pair on the curve P-256, and the id that is the hash of the public key.
///
/// [Identity] is the whole pair with what the node trusts; [NodeKey] is the public half as a peer
/// sees it. [NodeCertificate] makes the certificate that a node without an authority shows, and
/// [Shown] is what an end of a connection shows beside its key.
///
/// It may know `trust`, `link`, `topology` and the ground. A peer that has proved nothing reaches
/// [NodeKey] and [Shown]: both refuse what is not exactly in the one allowed encoding.
package org.ibidem.identity;
