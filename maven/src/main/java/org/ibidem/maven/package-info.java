/// A goal for Maven.
@NullMarked
package org.ibidem.maven;

import org.jspecify.annotations.NullMarked;
