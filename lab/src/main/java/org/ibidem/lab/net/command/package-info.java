/// The command `./ibidem lab`.
@NullMarked
package org.ibidem.lab.net.command;

import org.jspecify.annotations.NullMarked;
