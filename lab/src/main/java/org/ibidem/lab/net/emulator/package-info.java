/// The emulator: carries packets between sites, with the delay, rate, queue, loss and jitter of the
/// lines they travel, and counts what it does.
///
/// [Cloud] is the model and knows neither clock nor device, so that it can be tested anywhere;
/// [Emulator] drives it with TUN devices and real time. There is no netem on every kernel, and it
/// could not tell afterwards what became of which packet.
///
/// Traps. The thread must run under `SCHED_FIFO`: without it a delay of 30 ms is off by 3 on a busy
/// machine. Nothing may be allocated per packet. A packet's times are those at which things are
/// due, not at which the thread got round to them.
@NullMarked
package org.ibidem.lab.net.emulator;

import org.jspecify.annotations.NullMarked;
