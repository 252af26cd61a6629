/// `./bench wan`: what gets over long lines of a laboratory, over a plain socket, with filters that
/// are told what to do, and with `auto`, which finds out.
package org.ibidem.lab.bench.wan;
