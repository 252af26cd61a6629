/// What the workers of a job do, in time: each [Track] is a ring in a file that its process has
/// mapped ([Recorder]), so that it is there whatever the process ends by; a [Recording] reads such
/// a file, [TraceEvents] writes several as one text, and a [Chart] says what a picture of them
/// shows.
///
/// Traps: a track belongs to its worker, which writes without locks; whoever reads it while that
/// runs may miss its last record.
package org.ibidem.satin.trace;
