/// Code generated for one class: hidden classes of this package, with the Class-File API (JEP 484).
///
/// They reach private fields through constant handles, which the compiler sees through: as fast as
/// if the code stood in the class itself.
package org.ibidem.serial.generate;
