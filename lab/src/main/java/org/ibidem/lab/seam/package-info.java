/// Filters that do what the seam allows and no filter of the core does yet, so that the contract
/// suites hold adapters, drivers and ports to it.
@NullMarked
package org.ibidem.lab.seam;

import org.jspecify.annotations.NullMarked;
