/// Puts [org.ibidem.rmi.program] in the place of classes of the JDK in the class files of a program
/// of `java.rmi`, as Ibis' rmic did (van Nieuwpoort et al., "Ibis: a flexible and efficient
/// Java-based grid programming environment", 2005). [Replacing] does one class file, [Programs]
/// folders and jars ahead of time, [ProgramLoader] classes as they are loaded.
package org.ibidem.rmi.rewrite;
