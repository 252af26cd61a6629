/// The hub: what both sides can reach. It keeps who is in which pool (`Pools`, one deterministic
/// state machine), tells every member of every change, knows how each can be reached, and finds out
/// who is gone.
///
/// It knows `core`; nothing in `core` knows it. [Hub] runs it, in a process of its own or in any
/// other.
package org.ibidem.hub;
