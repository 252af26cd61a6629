/// Circuits: a definite group of nodes in an order, every node to every other.
///
/// What parallel programs stand on (the *Circuit* of PadicoTM): members have numbers, links are
/// made when they are needed, each over the stack that suits the two nodes, and messages are frames
/// that are filled in and read in the driver's memory, without the tags of ports. Whoever waits
/// polls for all. A [Circuit] hands each frame to its one [CircuitReceiver]; [Packing] and
/// [Unpacking] put values into frames and take them out, in the modes of Madeleine.
@NullMarked
package org.ibidem.circuit;

import org.jspecify.annotations.NullMarked;
