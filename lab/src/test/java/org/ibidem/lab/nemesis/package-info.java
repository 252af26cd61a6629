/// A hub with state on a small disk, nodes in several processes that have it do things all the
/// time, and a nemesis that torments both. What they noted is checked by `lab.history`. See
/// `docs/lab/nemesis.md`.
package org.ibidem.lab.nemesis;
