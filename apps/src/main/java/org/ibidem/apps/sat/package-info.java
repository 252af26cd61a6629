/// `sat`: whether a formula in conjunctive normal form can be made true, by splitting on a variable
/// (Davis, Logemann and Loveland, 1962): both halves are spawned, each with a state of its own, and
/// whoever finds an assignment throws it, upon which its spawners abort what is still looked at.
/// Formulas come from a file in DIMACS' format, or are made: pigeons of which there is one more
/// than there are holes (no), and random clauses of three that an assignment was hidden in (yes).
package org.ibidem.apps.sat;
