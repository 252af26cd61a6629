/// Who and where nodes are: ids, locations, contacts, and what they know of their networks. Values
/// only; nothing here does I/O.
package org.ibidem.topology;
