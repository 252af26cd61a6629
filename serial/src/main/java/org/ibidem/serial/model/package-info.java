/// What is to be known of a class before its objects can travel: its levels, fields and own
/// methods, and the ways to reach them.
package org.ibidem.serial.model;
