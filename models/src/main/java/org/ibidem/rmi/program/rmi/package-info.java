/// Where JNDI looks for the names of the scheme `rmi`, if the setting
/// `java.naming.factory.url.pkgs` is `org.ibidem.rmi.program`.
package org.ibidem.rmi.program.rmi;
