/// The laboratory: [Bench] runs what is measured here, by name.
///
/// It is no module and runs on the class path, because jcstress brings a package `sun.misc` of its
/// own, which no module path accepts beside the JDK's.
@NullMarked
package org.ibidem.lab;

import org.jspecify.annotations.NullMarked;
