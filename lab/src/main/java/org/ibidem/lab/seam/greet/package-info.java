/// An exchange with the other end while the stack is built: the filter `greet`.
@NullMarked
package org.ibidem.lab.seam.greet;

import org.jspecify.annotations.NullMarked;
