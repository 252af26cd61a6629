/// How a process of `ibidem run --satin` begins: [Main] joins the job's pool and runs the program's
/// `main`, or jobs of it; [ProgramLoader] loads the program's classes, rewritten.
package org.ibidem.satin.run;
