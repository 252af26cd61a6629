/// Message ports: what most programs use. A [SendPort] connects to a [ReceivePort]; messages are
/// written and read piece by piece ([WriteMessage], [ReadMessage]), in the network's own memory.
/// After the Ibis Portability Layer (van Nieuwpoort et al., "Ibis: a flexible and efficient
/// Java-based Grid programming environment", CCPE 2005).
///
/// Traps: nothing here keeps a [org.ibidem.buffer.Frame]'s memory past commit or the next poll;
/// whoever waits goes through the port's [org.ibidem.arbitration.Waiter].
package org.ibidem.port;
