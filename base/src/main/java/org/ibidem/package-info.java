/// What every room may know: the root of the exceptions, and nothing else.
package org.ibidem;
