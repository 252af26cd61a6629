/// The filter `reliable`: each frame arrives once and in order over a link that loses, doubles and
/// reorders them. Format: `docs/wire/reliable.md`.
///
/// - What was sent is kept until it was acknowledged ([SendWindow]); what came ahead of its turn is
///   kept until what was before it is there ([ReceiveWindow]). Both are as long as the option
///   `window` says, so memory is bounded and a reader that stands still holds up its writer.
/// - No thread of its own: who polls, claims or pushes does what is due in passing, and
///   [org.ibidem.task.Tasks#drive] the rest.
package org.ibidem.filter.reliable;
