/// How programs are run that know nothing of Ibidem: a class loader that finds what the `java`
/// command's own does, and rewrites it ([RewritingLoader]), and what calls `main` ([Entry]).
package org.ibidem.program;
