/// Values in the byte order of the receiver: `conversion`.
package org.ibidem.filter.conversion;
