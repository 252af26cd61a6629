/// Codecs with native code inside, found by `provides` lines: [Zstd], by the library zstd-jni. A
/// process that may not load it says so once in the log, and agrees with its peers on what else
/// both have.
///
/// To add one: see the page of `org.ibidem.codec`; nothing native is loaded before somebody asks
/// for [org.ibidem.codec.Codec#objection].
///
/// Traps: who is found by its `provides` line is made in every process, so its class must not lead
/// to those of the library. A format with lengths in it may lie: what a block grows to is bounded
/// by the buffer, never by what it says.
package org.ibidem.codecs;
