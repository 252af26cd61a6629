/// Links between the same two nodes share one connection: `multiplex`. What a stream of it costs
/// and saves: `docs/design/stacks.md`.
package org.ibidem.filter.multiplex;
