/// The authority of a pool: [org.ibidem.authority.PoolAuthority], a folder with a key and a
/// certificate where an administrator sits, never on a hub. What it issues is checked by
/// `org.ibidem.trust` in `core`, which does not need this module.
///
/// Certificates are made by Bouncy Castle's bcpkix; keys and signatures are the JDK's.
package org.ibidem.authority;
