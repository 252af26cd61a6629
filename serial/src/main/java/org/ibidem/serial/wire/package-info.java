/// The stream of objects: `docs/wire/object.md`.
package org.ibidem.serial.wire;
