/// Connections that break: the filter `cut`.
@NullMarked
package org.ibidem.lab.fault.cut;

import org.jspecify.annotations.NullMarked;
