/// What a node tells of a peer and of the connections to it: what a connection is for, which way
/// its data takes, how it came about, and what was found out on the way. Programs see these types
/// in what [org.ibidem.registry.Node] and [org.ibidem.registry.operation.Diagnosis] answer.
///
/// They are values: nothing here connects, waits or keeps a state. It may know `topology` and the
/// ground.
package org.ibidem.peer;
