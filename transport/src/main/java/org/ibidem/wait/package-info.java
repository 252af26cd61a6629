/// What a thread can wait for, without knowing what it is: a socket, a ring, a doorbell.
///
/// [Waitable] is anything that can be looked at and slept on; [SleepTraits] says what may be
/// counted on while a thread sleeps; [WaitableOver] is something that waits for what it stands on.
/// [Doorbell] wakes a sleeper in this process or another. How a thread waits, by spinning first and
/// sleeping then, is the business of `org.ibidem.arbitration`.
package org.ibidem.wait;
