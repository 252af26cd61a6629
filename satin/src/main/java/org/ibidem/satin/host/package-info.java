/// What `ibis.satin` knows of the runtime: the thread that a program runs in, where that offers
/// something, and who writes its shared objects. So `ibis.satin` runs programs sequentially with
/// nothing else on the class path, and knows nothing that knows it.
@NullMarked
package org.ibidem.satin.host;

import org.jspecify.annotations.NullMarked;
