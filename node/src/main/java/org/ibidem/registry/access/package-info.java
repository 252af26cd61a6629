/// The way from a program's node to its runtime, for the modules that stand on it. It is exported
/// to those alone: programs see nodes, members and events.
package org.ibidem.registry.access;
