/// `knapsack`: the most valuable of n things that together are not too heavy, by trying: with each
/// thing and without it. Checked by dynamic programming.
package org.ibidem.apps.knapsack;
