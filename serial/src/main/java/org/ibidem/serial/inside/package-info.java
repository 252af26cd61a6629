/// Code that stands in the class files themselves: what `ibidem rewrite` adds to them, and how it
/// is found in a class that has been loaded.
package org.ibidem.serial.inside;
