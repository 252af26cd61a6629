/// The one class of the published Satin behind its public names that programs use, too.
@NullMarked
package ibis.satin.impl;

import org.jspecify.annotations.NullMarked;
