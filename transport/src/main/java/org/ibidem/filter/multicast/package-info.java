/// One sender, several receivers: `multicast`, the top of the sending side.
package org.ibidem.filter.multicast;
