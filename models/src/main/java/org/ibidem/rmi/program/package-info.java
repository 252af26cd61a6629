/// What stands in the place of `java.rmi.Naming`, `java.rmi.registry.LocateRegistry` and the
/// classes of `java.rmi.server` in a program of `java.rmi`, once its class files have been
/// rewritten ([org.ibidem.rmi.rewrite]). Each class has the name and the methods of the one it
/// stands for, and documentation that says what is different.
///
/// - [Home] is this process's node and its part, made at first use.
/// - A registry is a port number: its names are names of the pool ([org.ibidem.rmi.Names]), so it
///   needs no process and no listener, and who runs where is nothing it has to know.
///
/// Trap: the process lives as long as it has exported objects, as with the JDK's RMI.
package org.ibidem.rmi.program;
