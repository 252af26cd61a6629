/// What people do with a running node, besides using it: find out what reaches its peers and how
/// fast ([Diagnosis]), and give it drivers and filters that it did not begin with ([Extension]).
package org.ibidem.registry.operation;
