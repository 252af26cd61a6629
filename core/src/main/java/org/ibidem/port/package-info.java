/// Message ports: what most programs use. A [SendPort] connects to a [ReceivePort]; messages are
/// written and read piece by piece ([WriteMessage], [ReadMessage]), in the network's own memory.
/// After the Ibis Portability Layer (van Nieuwpoort et al., "Ibis: a flexible and efficient
/// Java-based Grid programming environment", CCPE 2005) and its implementation over stacks (Aumage
/// et al., "NetIbis: an efficient and dynamic communication system for heterogeneous grids", CCGrid
/// 2005); what became of each of its features: `docs/ibis.md`.
///
/// - A [PortType] is a set of [Capability]s, what messages carry ([Data]), and a stack; only equal
///   types connect. How one port is set up beyond that: [SendSetup], [ReceiveSetup].
/// - Within, [Outputs] and [Inputs] hold a port's connections; [FrameWriter] and [FrameReader] know
///   frames, [RunWriter] and [RunReader] the runs in them, [GraphReader] objects; [PortProtocol]
///   asks for connections and answers. Formats: `docs/wire/ports.md`; why connections are as they
///   are: `docs/design/connections.md`. [Upcalls] calls the program, [HandOver] says which thread
///   may and when.
///
/// Traps: nothing here keeps a [org.ibidem.buffer.Frame]'s memory past commit or the next poll;
/// whoever waits goes through the port's [org.ibidem.arbitration.Waiter].
package org.ibidem.port;
