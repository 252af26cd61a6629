/// From knowledge of a peer and a wish to the stacks worth trying, with the reasons.
///
/// The wish is a stack in which `auto` or `multi(…)` may stand in the place of the network driver.
/// Whether a driver reaches a peer it says itself ([org.ibidem.link.Reach]). The choice is made for
/// each connection and leaves no layer behind: `docs/design/stacks.md`.
package org.ibidem.selector;
