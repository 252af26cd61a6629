/// Links over a ring of memory that both ends see, for the drivers within one process and between
/// processes of one machine.
///
/// [RingLink] is the link, [RingSink] and [RingSource] are its ends; [RingGrowth] makes a ring
/// larger while it is used. [Broadcast] joins the rings of several readers ([Joinable],
/// [Participant]), so that one write reaches them all. A driver adds only where the memory comes
/// from.
package org.ibidem.ring;
