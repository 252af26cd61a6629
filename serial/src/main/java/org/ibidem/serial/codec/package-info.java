/// Codecs written by hand, over public methods only: for arrays, enums, and the classes of the JDK
/// that travel most. `Codecs` knows which codec serves which class.
package org.ibidem.serial.codec;
