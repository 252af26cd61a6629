/// Object graphs to bytes and back, behind an allow-list from the first day (JEP 290).
package org.ibidem.serial;
