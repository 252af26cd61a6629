/// Where connections come in: one listening port, a bounded number of handshakes at a time, and the
/// connection handed to what serves its purpose.
///
/// [Listener] accepts; [PendingHandshakes] bounds how many peers may be unproved at a time, and
/// [OriginQuota] how many of one address; [ConnectionPreamble] takes what a connection may begin
/// with instead of a handshake. [Observation] and [ReachabilityProbe] find out how a node is seen
/// from outside.
package org.ibidem.accept;
