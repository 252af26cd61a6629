/// What it costs to put keys that a peer chose into tables: keys that collide are compared with
/// each other, and a few bytes could mean endless work.
package org.ibidem.serial.table;
