/// Proxies that no package of the system brings.
@NullMarked
package org.ibidem.lab.net.proxy;

import org.jspecify.annotations.NullMarked;
