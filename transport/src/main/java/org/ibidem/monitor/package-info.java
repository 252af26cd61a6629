/// What can be seen of a running process: counters in a mapped file that another process reads, and
/// events for the JDK's flight recorder.
///
/// Traps: the file outlives a process that was killed; whoever opens the folder next removes it. A
/// row is used again after its connection has ended.
package org.ibidem.monitor;
