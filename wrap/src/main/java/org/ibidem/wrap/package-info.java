/// Programs of any language whose TCP connections go through Ibidem where that reaches further or
/// is faster (PadicoTM's *SysWrap*: Denis, Pérez, Priol, "PadicoTM: an open integration framework
/// for communication middleware and runtimes", 2003).
///
/// A small launcher (`shim/`) runs the program, and asks the agent in this package what becomes of
/// each connect; see docs/design/wrap.md.
@NullMarked
package org.ibidem.wrap;

import org.jspecify.annotations.NullMarked;
