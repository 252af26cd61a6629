/// Channels of the JDK for descriptors that it has none for, by the C library ([Libc]), found by a
/// `provides` line.
///
/// [LinuxDescriptors] opens a pipe of the JDK and puts a duplicate of the descriptor where the
/// pipe's source was (`dup3`). The JDK's selectors, which know descriptors by their numbers, then
/// wait for it by epoll like for any other channel of theirs, without a thread.
///
/// Traps: the JDK does not tell the number of a channel's descriptor, and a duplicate put in the
/// wrong place would destroy a stranger's file; [SourceNumber] makes sure. A selector takes a
/// descriptor without complaint and fails later, in a select that concerns others, when epoll
/// refuses it; so it is tried in an epoll set first.
package org.ibidem.descriptors;
