/// What generated code stands on: a [Stub] begins an [Outgoing] call, an [Incoming] one carries it
/// out where the object is. Public for that code alone; programs use [org.ibidem.rmi].
package org.ibidem.rmi.frame;
