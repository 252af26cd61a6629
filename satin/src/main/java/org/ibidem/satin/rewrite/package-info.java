/// Makes spawns of calls: what `ibidem run --satin` does to classes as it loads them, by the JDK's
/// Class-File API. After the rewriter of Satin (van Nieuwpoort et al., TOPLAS 2010, section 4).
///
/// - [Rewriter] takes a class file and gives one, and one more for each call that is spawned
///   ([JobClass]). [Spawning] finds those calls in a method, [Flow] what becomes of local variables
///   that wait for a result, [MethodCode] writes the method anew.
/// - [Classes] looks at class files; none is loaded.
///
/// A call that is not spawned is left as it is: that is never wrong, as the compiled program is
/// sequential; [Rewriter] tells why. What would be wrong is [Refused].
package org.ibidem.satin.rewrite;
