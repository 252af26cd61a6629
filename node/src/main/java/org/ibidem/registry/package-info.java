/// Who is in the pool: [Node] joins one through a hub, keeps a view of its members and hears of
/// every change.
///
/// [Join] says how to join. The hub's side is the module `hub`; what both say to each other is
/// `registry.wire`, described in `docs/wire/registry.md`. Decisions and why:
/// `docs/design/registry.md`.
///
/// Traps: events come from one task, in order: a consumer that blocks delays the next one, and at
/// last the view itself. A suspected member is still a member. A lost hub ends nothing.
package org.ibidem.registry;
