/// The filters: one folder each, found by its `provides` line.
///
/// A filter knows `link` and what `link` knows, never a driver and never another filter. How to
/// write one: `docs/design/stacks.md`.
package org.ibidem.filter;
