/// The hub's state machine: who is in which pool and what its members agreed on. [Pools] obey
/// [Command]s one at a time; what they answer is an [Answer], what follows for the members is in
/// each pool's numbered [ChangeLog].
///
/// No I/O, no clock, no threads, no chance: equal commands give equal pools. Whatever it keeps has
/// a bound. It can be written down and read back at any moment ([Image]), and so can each command
/// ([CommandCoding]).
///
/// To add something to it: a command or an operation, its coding, what it changes (through a method
/// of [Pool] that also logs it), its place in the image, and its line in the exhaustive test.
package org.ibidem.hub.pools;
