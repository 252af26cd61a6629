/// Who belongs to a pool that has an authority: certificates (X.509, RFC 5280) that say a node's
/// pool, role and site, and the rules by which they count. Only reads and verifies; what issues
/// them is the module `authority`, or any other public key infrastructure.
///
/// And who belongs to a job on one machine: whoever can read the file with its key.
///
/// Knows no connection and no clock: who asks says what time it is.
package org.ibidem.trust;
