/// Adds to class files, before they are run, the code by which their objects are written and read:
/// what else is generated when the first object travels.
package org.ibidem.serial.rewrite;
