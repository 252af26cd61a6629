/// `matrix`: the product of two square matrices, quarter by quarter, until the quarters are small.
/// Numbers are integers that wrap around, so the result does not depend on any order. Checked by
/// multiplying with random vectors (Freivalds, 1977).
package org.ibidem.apps.matrix;
