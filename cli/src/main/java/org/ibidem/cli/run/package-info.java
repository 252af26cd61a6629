/// `ibidem run`: one job of several processes on this machine.
///
/// [Run] reads the command line, [Program] finds what is to be run, [Job] starts the processes and
/// ends them, [Output] puts their lines together, and [Leash] is what each of them begins with, so
/// that none outlives the launcher.
package org.ibidem.cli.run;
