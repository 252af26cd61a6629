/// `barneshut`: bodies that attract each other, by a tree in which far ones count as one (Barnes
/// and Hut, Nature 1986). All processes share the bodies, as in Wrzesinska, Maassen, Verstoep and
/// Bal, "Satin++: divide-and-share on the Grid" (2006): each makes the tree for itself, forces on a
/// part of the bodies are a spawned call, and one write moves all. Compared bit for bit with the
/// sequential run.
package org.ibidem.apps.barneshut;
