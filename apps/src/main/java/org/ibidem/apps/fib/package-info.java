/// `fib`: Fibonacci numbers by their definition, which is all spawning and nothing else. Below a
/// threshold calls are ordinary ones. Checked by adding up.
package org.ibidem.apps.fib;
