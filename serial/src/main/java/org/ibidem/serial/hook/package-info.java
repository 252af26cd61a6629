/// Classes that take part in their own serialization: `writeObject`, `readObject`,
/// `Externalizable`, `readResolve` and their kin, and classes that changed since the peer described
/// them.
package org.ibidem.serial.hook;
