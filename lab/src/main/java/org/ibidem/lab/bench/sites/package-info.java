/// An application on two sites with a line between them, over one network or the best of several.
@NullMarked
package org.ibidem.lab.bench.sites;

import org.jspecify.annotations.NullMarked;
