/// What people write, read: the stack notation, options as records, settings from outside, services
/// found.
///
/// Knows no other room. [Notation] turns text into a tree of [Layer]s and back; [Options] binds the
/// arguments of a layer to a record and prints a record as arguments; [Settings] is the only reader
/// of system properties and of the environment; [Services] finds what modules provide.
///
/// - A new kind of option value: one constant in [Kind].
/// - A new setting: one line in [Setting#ALL], which the configuration file is checked against and
///   `ibidem explain config` shows.
/// - Every error is a [NotationException] or a [SettingException]: where it stands, what was read,
///   what is known.
///
/// Grammar and rules for people: `docs/design/stacks.md`.
package org.ibidem.config;
