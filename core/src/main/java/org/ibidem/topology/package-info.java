/// Who and where nodes are: ids, locations, contacts. Values only; nothing here does I/O.
package org.ibidem.topology;
