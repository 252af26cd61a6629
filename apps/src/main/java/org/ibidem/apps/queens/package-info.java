/// `queens`: in how many ways n queens stand on a board of n × n so that none threatens another. A
/// spawned call gets a board of its own. Checked against the known numbers (OEIS A000170).
package org.ibidem.apps.queens;
