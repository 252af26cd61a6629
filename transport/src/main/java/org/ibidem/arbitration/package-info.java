/// Who polls what, in which thread, and how it waits: the only room that makes threads and
/// selectors.
///
/// Everybody else gets [org.ibidem.task.Tasks] and writes straight-line blocking code on the
/// virtual threads it starts. What a node's life depends on does not: it runs in threads of the
/// platform, which go on while programs' virtual threads hold all carriers
/// ([org.ibidem.task.Tasks#vital], [org.ibidem.task.Tasks#alarm], [org.ibidem.task.Tasks#drive]).
/// Time comes from one injected [Clock], so that tests move it by hand.
///
/// Trap: stopping a task interrupts its thread, and an interrupt inside a channel closes that
/// channel. Wake a waiter by closing or by its selector; stop a task only when its channels may go
/// too.
package org.ibidem.arbitration;
