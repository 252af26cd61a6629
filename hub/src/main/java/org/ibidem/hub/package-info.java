/// The hub. It knows `core` and accepts its connections through the drivers of `core`; nothing in
/// `core` knows it.
package org.ibidem.hub;
