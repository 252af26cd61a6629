/// Tasks and time: how a room asks for a thread, an alarm or a pause without making threads or
/// reading clocks itself.
///
/// [Tasks] runs things and tells the time; [Progress] is a part that is driven, because it has
/// something to do as time goes by and has no thread of its own. Both are implemented by
/// `org.ibidem.arbitration`; tests implement them with a clock of their own.
package org.ibidem.task;
