/// `tsp`: the shortest round trip through n towns, by branch and bound: each call bounds its own
/// part of the tree, from the trip that goes to the nearest town each time. Checked by dynamic
/// programming (Held and Karp, 1962).
package org.ibidem.apps.tsp;
