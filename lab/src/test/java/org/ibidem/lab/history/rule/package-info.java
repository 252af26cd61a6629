/// What must hold of every history, whatever was done to hub and nodes: one rule for each promise.
/// `Checker` has them all.
package org.ibidem.lab.history.rule;
