/// One node at work: all that it needs to deal with peers, put together, and ended in order.
///
/// [NodeRuntime] makes the listener, the service links, the dialler and the channels of a node and
/// closes them; [HubConnection] is its one connection to its hub. [Explanations], [Trials] and
/// [Ways] answer for it what works, how fast, and what goes over which link now; [CertificateWatch]
/// warns before its certificate ends.
package org.ibidem.station;
