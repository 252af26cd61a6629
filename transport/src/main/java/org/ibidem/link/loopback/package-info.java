/// Two nodes in one JVM: rings in off-heap memory, bells rung directly.
package org.ibidem.link.loopback;
