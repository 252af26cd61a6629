/// TCP: the network driver, and the sockets that others accept through.
package org.ibidem.link.tcp;
