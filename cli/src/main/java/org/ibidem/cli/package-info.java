/// The `ibidem` command: one class for each subcommand, listed in [Main]. The only room that
/// prints.
package org.ibidem.cli;
