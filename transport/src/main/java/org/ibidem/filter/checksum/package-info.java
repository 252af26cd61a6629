/// Frames that arrived altered are found out: `checksum`.
package org.ibidem.filter.checksum;
