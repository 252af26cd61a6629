/// Bytes that nobody on the way can read or alter: `tls`.
package org.ibidem.filter.tls;
