/// `integrate`: the area under a curve by Simpson's rule, halved where that is not near enough
/// (adaptive integration; Kuncir, CACM 1962). The tree is as deep as the curve is steep, which no
/// fixed division would balance. Checked against the known area.
package org.ibidem.apps.integrate;
