/// Histories of what nodes had their hub do, and of what was done to hub and nodes meanwhile:
/// written down by many processes, read by the rules in `rule`.
package org.ibidem.lab.history;
