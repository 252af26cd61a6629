/// What a network is to be like: sites of some kind, and lines between them. A [Plan] gives a
/// [Network]; nothing here builds one.
@NullMarked
package org.ibidem.lab.net.plan;

import org.jspecify.annotations.NullMarked;
